---- MODULE Machine ----
EXTENDS Naturals
CONSTANT Size
VARIABLE part
Limit == 3
Bound == Size + Limit
Small(n) == n < Bound
Init == part = 0
Make == Small(part) /\ part' = part + 1
====
