---- MODULE EmptyParentheses ----
F(x) == x
A == F()
B == A()
====
