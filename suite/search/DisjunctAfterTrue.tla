---- MODULE DisjunctAfterTrue ----
\* As an action, a disjunct after TRUE is still a step of its own, and may ask about the run.
EXTENDS Naturals, TLC
VARIABLES x, y
Init == x = 0 /\ y = 0
A == x < 3 /\ (TRUE \/ TLCGet("level") > 3) /\ x' = x + 1 /\ UNCHANGED y
B == y < 40 /\ y' = y + 1 /\ UNCHANGED x
Next == A \/ B
====
