---- MODULE M ----
a == x y
b == f(1) (2)
c == 1 2
d == "a" "b"
====
