---------------------- MODULE InvariantNotBooleanLater ----------------------
(* An invariant that is a number, in a state that is not the first.          *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Fine == IF x < 2 THEN TRUE ELSE x
=============================================================================
