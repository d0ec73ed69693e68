---- MODULE WrongArguments ----
---- MODULE M ----
CONSTANT c
Get(x) == <<c, x>>
====
I(p) == INSTANCE M WITH c <- p
J == INSTANCE M WITH c <- 1
A == I!Get(1)
B == I(1)!Get
C == I(1, 2)!Get(3)
D == J(1)!Get(2)
====
