---------------------------- MODULE OutsideOfModel --------------------------
(* A state outside of the constraint is checked; the trace ends with it.     *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = x + 2
Inside == x < 6
NotSix == x # 6
=============================================================================
