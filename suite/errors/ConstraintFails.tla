-------------------------- MODULE ConstraintFails ---------------------------
(* A constraint without a value in some state.                               *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 9
Near == <<TRUE, TRUE, FALSE>>[x]
=============================================================================
