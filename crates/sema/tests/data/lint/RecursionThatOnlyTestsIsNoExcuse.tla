---- MODULE RecursionThatOnlyTestsIsNoExcuse ----
EXTENDS Naturals
VARIABLES x, y
RECURSIVE Even(_)
Even(n) == IF n < 2 THEN n = 0 ELSE Even(n - 2)
Init == x = 0 /\ y = 0
Step(n) == Even(n) /\ x' = n
Next == \E n \in 1..3 : Step(n)
Spec == Init /\ [][Next]_<<x, y>>
====
