---------------------------- MODULE LoopAvoidsGoal --------------------------
(* Weak fairness of the whole is not enough: the walker may go round for     *)
(* ever and never take the exit.                                             *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Round == x < 3 /\ x' = (x + 1) % 3
Exit == x = 2 /\ x' = 9
Next == Round \/ Exit
Spec == Init /\ [][Next]_x /\ WF_x(Next)
GetsOut == <>(x = 9)
=============================================================================
