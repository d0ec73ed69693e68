---- MODULE Good ----
EXTENDS Naturals
Op(a) == \E x \in {a} : lab(x) :: (x = 1 /\ inner :: (x = 2))
F == Op(3)!lab(4)
G == Op(3)!lab(4)!inner
H == Op(3)!lab(4)!1
I == Op(3)!(5)
J == Op(3)!1
K == Op(3)!(5)!<<
Use(P(_)) == P(6)
Use2(P(_, _)) == P(6, 7)
M == Use(Op!1)
N == Use2(Op!@)
O == Use2(Op!lab)
====
