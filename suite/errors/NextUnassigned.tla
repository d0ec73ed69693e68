--------------------------- MODULE NextUnassigned ---------------------------
(* A step that leaves a variable without a next value, in one branch only.   *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Good == x < 2 /\ x' = x + 1 /\ y' = x
Bad == x = 2 /\ x' = 0
Next == Good \/ Bad
=============================================================================
