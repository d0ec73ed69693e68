---- MODULE M ----
a = 1
F(x) = x
f[x \in S] = x
b := 2
c == 3
====
