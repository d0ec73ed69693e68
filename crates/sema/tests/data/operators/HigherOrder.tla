---- MODULE HigherOrder ----
EXTENDS Integers
CONSTANT Op(_, _)
Apply(F(_), x) == F(x)
Fold(G(_, _), x, y) == G(x, y)
Inc(x) == x + 1
A == Apply(Inc, 1)
B == Apply(LAMBDA y : y + A, 2)
C == Fold(+, 1, 2)
D == Fold(\cup, {1}, {2})
E == Fold(Op, 1, 2)
H == Apply(-., 3)
I(K(_)) == Apply(K, 4)
J == I(LAMBDA z : Apply(LAMBDA w : w + z, z))
M == Fold(LAMBDA p, q : \A r \in {p} : r = q, 1, 2)
N == Apply(SUBSET, {1})
====
