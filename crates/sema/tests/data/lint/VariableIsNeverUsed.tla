---- MODULE VariableIsNeverUsed ----
VARIABLES x, y, z
vars == <<x, y, <<z>>>>
Init == x = 0 /\ z = 0
Next == x' = 1 /\ UNCHANGED <<y, z>>
Spec == Init /\ [][Next]_vars
====
