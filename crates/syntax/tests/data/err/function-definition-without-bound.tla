---- MODULE M ----
f[x, y] == 1
g[] == 2
h[x \in S == 3
====
