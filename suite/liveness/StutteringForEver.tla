-------------------------- MODULE StutteringForEver -------------------------
(* Without fairness nothing has to happen: the counterexample stands still.  *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Up == x < 4 /\ x' = x + 1
Spec == Init /\ [][Up]_x
Arrives == <>(x = 4)
=============================================================================
