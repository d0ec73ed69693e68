---- MODULE ParameterNames ----
---- MODULE M ----
CONSTANT c
====
VARIABLE x
I(x) == INSTANCE M WITH c <- x
J(J) == INSTANCE M WITH c <- J
K(a, a) == INSTANCE M WITH c <- a
I == 1
====
