---- MODULE DisjunctLeavesVariableOpen ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Move == /\ x < 3
        /\ \/ x' = x + 1 /\ y' = 1
           \/ x' = x + 2
        /\ TRUE
Next == \/ Move
        \/ x' = 0
Spec == Init /\ [][Next]_<<x, y>>
====
