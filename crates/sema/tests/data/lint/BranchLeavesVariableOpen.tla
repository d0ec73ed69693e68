---- MODULE BranchLeavesVariableOpen ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\ y = 0
Choose == IF x > 2 THEN x' = 0 /\ y' = 1 ELSE x' = x + 1
Cases == CASE x = 0 -> x' = 1 /\ y' = y
           [] x = 1 -> x' = 2
           [] OTHER -> UNCHANGED <<x, y>>
Next == Choose \/ Cases \/ [x' = 1 /\ y' = 1]_x
Spec == Init /\ [][Next]_<<x, y>>
====
