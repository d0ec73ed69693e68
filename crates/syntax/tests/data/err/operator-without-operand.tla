---- MODULE M ----
a == 1 + * 2
b == x /\
c == ~
d == x' y'
e == F(x +)
f == 'x
g == x = \in
h == f[1 +]
====
