---- MODULE Primes ----
VARIABLE x
RECURSIVE F(_)
F(a) == IF a THEN x' ELSE F(TRUE)
RECURSIVE G(_)
G(a) == IF a THEN x ELSE G(a')
f[y \in {1}] == f[x']
====
