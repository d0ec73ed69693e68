---- MODULE RecursionThatRaisesItself ----
\* The level of a recursive operator is found by reading it until nothing changes.
VARIABLES x, y
RECURSIVE Even(_), Odd(_)
Even(n) == IF n = 0 THEN x ELSE Odd(n)
Odd(n) == IF n = 0 THEN y' ELSE Even(n)
Fine == Even(1) = 1
Bad == Even(1)'
RECURSIVE Up(_)
Up(n) == IF n = 0 THEN x ELSE Up(n)'
RECURSIVE Late(_)
Late(n) == LET m == n IN IF m = 0 THEN m' ELSE Late(0)
f[n \in {1}] == IF n = 0 THEN x ELSE f[0]
AlsoFine == f'
AlsoBad == f''
====
