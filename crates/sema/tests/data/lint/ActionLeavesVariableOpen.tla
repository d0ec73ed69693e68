---- MODULE ActionLeavesVariableOpen ----
EXTENDS Naturals
VARIABLES x, y, z
vars == <<x, y, z>>
Init == x = 0 /\ y = 0 /\ z = 0
Left == /\ x < 3
        /\ x' = x + 1
        /\ UNCHANGED y
Right == /\ y' \in 0..3
         /\ x' \in 0..3
         /\ z' \subseteq {1}
Nothing == x = 3
Next == Left \/ Right \/ Nothing
Spec == Init /\ [][Next]_vars
====
