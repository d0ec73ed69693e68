---- MODULE OperatorArgument ----
---- MODULE N ----
CONSTANT d
Nop(y) == <<d, y>>
====
---- MODULE M ----
CONSTANT c
Get(x) == <<c, x>>
K(k) == INSTANCE N WITH d <- <<c, k>>
Un(x) == {x}
====
\* Passed as an operator, a definition takes the parameters of its instances before its own.
I(p) == INSTANCE M WITH c <- p
J == INSTANCE M WITH c <- 0
Use1(G(_)) == G(1)
Use2(G(_, _)) == G(1, 2)
Use3(G(_, _, _)) == G(1, 2, 3)
A == Use2(I!Get)
B == Use3(I!K!Nop)
C == Use2(I!Un)
D == Use1(J!Get)
E == Use2(J!K!Nop)
====
