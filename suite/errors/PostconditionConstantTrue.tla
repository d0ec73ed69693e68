--------------------- MODULE PostconditionConstantTrue ----------------------
(* A postcondition that is a constant, and true.                             *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
AtEnd == TRUE
=============================================================================
