---- MODULE AssigningOnDifferentWaysIsFine ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Either == (x' = 1 \/ x' = 2) /\ UNCHANGED y
Branches == IF x = 0 THEN x' = 1 /\ y' = y ELSE x' = 2 /\ y' = 1
\* A condition on the new value.
InRange == x' = x + 1 /\ x' \in 0..3 /\ UNCHANGED y
Chosen == x' \in 0..3 /\ x' = y /\ UNCHANGED y
\* Idle, and no contradiction.
Unchanged == UNCHANGED <<x, y>> /\ UNCHANGED x
Every == (\A i \in {1} : x' = i) /\ y' = 1
Test == x' = 1 /\ y' = 1 /\ 1 = x'
Next == Either \/ Branches \/ InRange \/ Chosen \/ Unchanged \/ Every \/ Test
Spec == Init /\ [][Next]_<<x, y>>
====
