---- MODULE HigherOrderArgument ----
---- MODULE M ----
CONSTANT Op(_)
Map(S) == {Op(x) : x \in S}
====
I(F(_)) == INSTANCE M WITH Op <- F
Use(G(_, _)) == G(1, 2)
A == Use(I!Map)
====
