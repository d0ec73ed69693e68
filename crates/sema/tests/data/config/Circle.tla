---- MODULE Circle ----
VARIABLE x
Init == x = 0
Spec == Init /\ [][x' = x]_x
MCSpec == Spec /\ Spec /\ x = 0
====
