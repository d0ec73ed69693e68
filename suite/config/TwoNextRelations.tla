-------------------------- MODULE TwoNextRelations --------------------------
(* A specification has one next-state relation.                              *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
Spec == Init /\ [][Next]_<<x, y>> /\ [][x' # 7]_x
=============================================================================
