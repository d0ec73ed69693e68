---- MODULE Redefined ----
EXTENDS Naturals
CONSTANT N
VARIABLE v
N == 1
v(x) == x
Op(N) == N
Two(x, x) == x
Twice == 1
Twice == 2
Bound == \E v \in {1} : v = 1
Nested == \E x \in {1} : \A x \in {2} : x = 1
InLet == LET Twice == 3 IN Twice
Lam(F(_)) == F(1)
UseLam == Lam(LAMBDA N : N)
Nat == 5
Fun[Fun \in {1}] == 1
Self(Self) == Self
====
