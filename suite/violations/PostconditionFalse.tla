--------------------------- MODULE PostconditionFalse -----------------------
(* All is well until the end, where the postcondition wants more states.     *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 4
AtLeastFive == TLCGet("distinct") >= 5
=============================================================================
