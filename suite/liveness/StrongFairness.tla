---------------------------- MODULE StrongFairness --------------------------
(* The exit is possible again and again, though never for long: strong       *)
(* fairness of it is what gets the walker out.                               *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Round == x < 3 /\ x' = (x + 1) % 3
Exit == x = 2 /\ x' = 9
Next == Round \/ Exit
Spec == Init /\ [][Next]_x /\ WF_x(Next) /\ SF_x(Exit)
GetsOut == <>(x = 9)
LeadsOut == x = 1 ~> x = 9
=============================================================================
