---- MODULE TooHighAnOperator ----
VARIABLES x, y
Twice(F(_), a) == F(F(a))'
A == Twice(LAMBDA a : a, x)
B == Twice(LAMBDA a : x', y)
C == Twice(LAMBDA a : y, x')
====
