---- MODULE Functions ----
EXTENDS Naturals
fact[n \in Nat] == IF n = 0 THEN 1 ELSE n * fact[n - 1]
ack[m \in Nat, n \in Nat] == IF m = 0 THEN n ELSE ack[m - 1, n]
plain[n \in Nat] == n
A == LET fib[n \in Nat] == IF n < 2 THEN n ELSE fib[n - 1] IN fib[9]
RECURSIVE viaDeclaration
viaDeclaration[n \in Nat] == IF n = 0 THEN 0 ELSE viaDeclaration[n - 1]
====
