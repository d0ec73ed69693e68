---- MODULE Except ----
EXTENDS Naturals
CONSTANTS f, g
\* Every clause has an `@` of its own; it is known in LETs and LAMBDAs, and the index sees the one around.
A == [f EXCEPT ![1] = @ + 1, ![2][3].a = @ + 2, !.b = 3, ![1, 2] = @]
B == [g EXCEPT ![1] = [f EXCEPT ![@] = @ + 1]]
C == [g EXCEPT ![1] = [@ EXCEPT ![2] = @ + 1]]
D == [f EXCEPT ![1] = LET a == @ IN a + @]
Apply(F(_)) == F(1)
E == [f EXCEPT ![1] = Apply(LAMBDA z : z + @)]
G == [f EXCEPT ![1] = {@ + h : h \in {@}}]
====
