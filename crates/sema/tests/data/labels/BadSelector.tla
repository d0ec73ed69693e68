---- MODULE BadSelector ----
EXTENDS Naturals
CONSTANT C
Op(x) == x + 1
A == Op(1)!3
B == Op(1)!nolabel
D == Op(1)!1!1
E == C!1
F(p) == p!1
G == Op(1)!(2)
H == Op(1)!@
I == Op!1
J == Nat!1
K == Op(1)!1!:
L == Op(1)!0
Cs == CASE 1 = 1 -> 5 [] OTHER -> 6
M == Cs!1
N == Cs!2!1
Ex == [x \in {1} |-> x]
O == [Ex EXCEPT ![1] = @ + 1]
P == O!2
Q == O!3
Lt == LET y == 1 IN y + lab :: (y + inner :: 2)
R == Lt!y
S == Lt!inner
T == Lt!1!nothing
U == Lt!1!lab
V == Lt!:!1
W == Lt!lab!:
Ap(G2(_), z) == G2(z)
X == Ap(Op, 1)
Y == X!1
Z == X!3
====
