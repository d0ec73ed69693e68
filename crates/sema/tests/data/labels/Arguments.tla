---- MODULE Arguments ----
EXTENDS Naturals
\* Operator arguments count as parts; a LAMBDA has a body.
Apply(F(_), x) == F(x)
Inc(x) == x + 1
A == Apply(Inc, 5)
B == A!2
C == Apply(LAMBDA y : y + 7, 6)
D == C!1!(8)!2
E == C!2
f == [p \in {1}, q \in {2} |-> p]
G == f[1, 2]
H == G!2
I == G!1
Use(P(_)) == P(9)
J == Use(C!1!@)
====
