---- MODULE IncompletePath ----
---- MODULE M ----
Op == 1
====
I == INSTANCE M
J(x) == INSTANCE M
A == I
B == J(1)
F(G(_)) == G(1)
C == F(I)
====
