---- MODULE SubscriptLeavesOutVariables ----
EXTENDS Naturals
VARIABLES x, y, z
vars == <<x>>
Init == x = 0 /\ y = 0 /\ z = 0
Next == x' = x + 1 /\ UNCHANGED <<y, z>>
Spec == Init /\ [][Next]_<<vars, z>>
====
