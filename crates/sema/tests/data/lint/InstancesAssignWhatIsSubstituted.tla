---- MODULE InstancesAssignWhatIsSubstituted ----
VARIABLES a, b
Left == INSTANCE Cell WITH value <- a
Both(v) == INSTANCE Cell WITH value <- v
Init == Left!Empty /\ b = 0
One == Left!Fill
Two == Both(a)!Fill /\ Both(b)!Fill
Expression == INSTANCE Cell WITH value <- <<a, b>>
Three == Expression!Fill /\ b' = 1
Next == One \/ Two \/ Three
Spec == Init /\ [][Next]_<<a, b>>
====
