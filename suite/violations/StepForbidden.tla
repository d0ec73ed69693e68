----------------------------- MODULE StepForbidden --------------------------
(* An action property: the counter may go up by one and never down.          *)
EXTENDS Naturals

VARIABLES x, y

vars == <<x, y>>
Init == x = 0 /\ y = 0
Up == x < 3 /\ x' = x + 1 /\ UNCHANGED y
Reset == x = 3 /\ x' = 0 /\ y' = y + 1
Next == Up \/ Reset
OnlyUp == [][x' >= x]_vars
ByOne == [][x' - x <= 1]_x
=============================================================================
