---- MODULE VariableIsAssignedTwice ----
EXTENDS Naturals
VARIABLES x, y, msgs
Init == x = 0 /\ y = 0 /\ msgs = {}
Send(m) == msgs' = msgs \cup {m}
Both == x' = 1 /\ x' = y + 1 /\ UNCHANGED <<y, msgs>>
Changed == /\ x' = 1
           /\ y' = 2
           /\ UNCHANGED <<x, y, msgs>>
TwoMessages == Send(1) /\ Send(2) /\ UNCHANGED <<x, y>>
InABranch == /\ x' = 1
             /\ \/ y' = 1
                \/ x' = 2 /\ y' = 2
             /\ UNCHANGED msgs
Next == Both \/ Changed \/ TwoMessages \/ InABranch
Spec == Init /\ [][Next]_<<x, y, msgs>>
====
