------------------------- MODULE InitReadsTooEarly --------------------------
(* An initial value that needs one that comes later.                         *)
EXTENDS Integers

VARIABLES x, y

Init == x = y + 1 /\ y = 0
Next == UNCHANGED <<x, y>>
=============================================================================
