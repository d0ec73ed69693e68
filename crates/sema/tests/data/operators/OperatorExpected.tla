---- MODULE OperatorExpected ----
EXTENDS Naturals
CONSTANT C
VARIABLE v
Apply(F(_), x) == F(x)
Inc(x) == x + 1
Five == 5
A == Apply(1, 2)
B == Apply(Inc(1), 2)
D == Apply(Five, 2)
E == Apply(C, 2)
F == Apply(v, 2)
G == Apply(v', 2)
H(p) == Apply(p, 2)
I == Apply([x \in Nat |-> x], 2)
====
