---- MODULE OperatorArgumentWithArguments ----
---- MODULE M ----
CONSTANT c
Get(x) == <<c, x>>
====
I(p) == INSTANCE M WITH c <- p
Use(G(_)) == G(1)
A == Use(I(1)!Get)
====
