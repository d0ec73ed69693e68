---- MODULE InitLeavesVariableOpen ----
VARIABLES x, y, z
Init == /\ x = 0
        /\ 1 = y
        /\ \/ z \in {1, 2}
           \/ x = 1
Next == UNCHANGED <<x, y, z>>
Spec == Init /\ [][Next]_<<x, y, z>>
====
