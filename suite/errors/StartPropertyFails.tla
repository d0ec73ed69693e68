------------------------- MODULE StartPropertyFails -------------------------
(* A property of initial states that has no value.                           *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Fine == <<TRUE, TRUE>>[x]
=============================================================================
