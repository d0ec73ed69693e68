--------------------------- MODULE StepToKnownState -------------------------
(* Steps are checked even when they lead to a state that is known: here it   *)
(* is the step back to the start that is forbidden.                          *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 4
NotBack == [][x' > x]_x
=============================================================================
