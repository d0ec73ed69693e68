---- MODULE M ----
f[x \in S] == x
g[x, y \in S, z \in T] == x
h[<<x, y>> \in S \X T, z \in U] == x
====
