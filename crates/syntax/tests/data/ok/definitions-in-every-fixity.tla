---- MODULE M ----
a == 1
b(x) == x
c(x, y) == x
x + y == x
x \cup y == x
x (+) y == x
x^+ == x
x' == x
-. x == x
~ x == x
[] x == x
x /\ y == x
====
