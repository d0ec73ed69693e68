----------------------- MODULE InvariantBeforeDeadlock ----------------------
(* A state that violates an invariant is reported when it is made; a state   *)
(* without successors only when it is explored. So the violation in the last *)
(* level comes before the deadlock of the state found first.                 *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x = 0 /\ x' \in {1, 2, 3}
NotThree == x # 3
=============================================================================
