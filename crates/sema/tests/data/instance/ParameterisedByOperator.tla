---- MODULE ParameterisedByOperator ----
---- MODULE M ----
CONSTANTS c, Op(_)
Get == Op(c)
Map(S) == {Op(x) : x \in S}
====
I(p, F(_)) == INSTANCE M WITH c <- p, Op <- F
Set(x) == {x}
A == I(1, Set)!Get
B == I(1, LAMBDA y : <<y>>)!Map({2})
====
