---- MODULE Hours ----
EXTENDS Naturals
CONSTANT N
VARIABLE hour
Init == hour \in 0 .. N - 1
Next == hour' = (hour + 1) % N
Spec == Init /\ [][Next]_hour /\ WF_hour(Next)
Early == hour < 6
Noon == []<>(hour = 0)
====
