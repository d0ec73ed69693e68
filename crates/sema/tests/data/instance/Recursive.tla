---- MODULE Recursive ----
EXTENDS Naturals
---- MODULE M ----
EXTENDS Naturals
CONSTANT base
RECURSIVE Sum(_), Other(_)
Sum(n) == IF n = 0 THEN base ELSE n + Other(n - 1)
Other(n) == Sum(n)
fact[n \in Nat] == IF n = 0 THEN base ELSE n * fact[n - 1]
====
I == INSTANCE M WITH base <- 10
A == I!Sum(3) + I!fact[4]
====
