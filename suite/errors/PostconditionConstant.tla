----------------------- MODULE PostconditionConstant ------------------------
(* A postcondition that is a constant, and false.                            *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x' = x
AtEnd == FALSE
=============================================================================
