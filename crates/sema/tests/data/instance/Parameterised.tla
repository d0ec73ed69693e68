---- MODULE Parameterised ----
---- MODULE M ----
CONSTANT c
VARIABLE v
Get == <<c, v>>
Plus(x) == <<x, Get>>
Untouched(x) == {x}
Bound == \E c2 \in {c} : c2 = c
====
VARIABLE u
I(p, q) == INSTANCE M WITH c <- p, v <- <<q, u>>
A == I(1, 2)!Get
B(p) == I(p, p)!Plus(p)
C == I(1, 2)!Untouched(3)
D == \A z \in {4} : I(z, z)!Bound
====
