---- MODULE LabelsInFunctions ----
EXTENDS Naturals
f[x \in {1}, <<y, z>> \in {2}] == lab(x, y, z) :: (x + y)
A == f!lab(1, 2, 3)
B == f!(4, 5, 6)
C == f!1
g[n \in Nat] == IF n = 0 THEN 0 ELSE here(n) :: g[n - 1]
D == g!here(7)
E == LET h[m \in Nat] == in(m) :: m IN h[1]
====
