------------------------------ MODULE Constrained ---------------------------
(* Under a constraint steps vanish, and an action whose steps have vanished  *)
(* is enabled still: no behaviour is fair, and everything holds.             *)
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = x + 1
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Small == x < 4
Returns == []<>(x = 0)
Gets3 == <>(x = 3)
Lazy == Init /\ [][Next]_x
=============================================================================
