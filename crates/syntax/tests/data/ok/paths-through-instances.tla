---- MODULE M ----
a == I!x
b == I(1)!J(2, +)!F(3)
c == I!x'
d == I!r.f[1]
====
