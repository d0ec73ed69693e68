---- MODULE WrongArity ----
EXTENDS Naturals
CONSTANT C, Op(_, _)
VARIABLE v
F(x, y) == x
Zero == 0
a ** b == a
A == F(1)
B == F(1, 2, 3)
D == F
E == Zero(1)
G == C(1)
H == v(1)
I == Op(1)
J == Op
L(P(_)) == P(1, 2)
M == \E x \in {1} : x(2)
N == +(1)
O == \cup(1)
P == LET Q(z) == z IN Q
R == **(1, 2) = 1 ** 2
S == a + 1
====
