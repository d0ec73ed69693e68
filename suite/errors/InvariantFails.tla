--------------------------- MODULE InvariantFails ---------------------------
(* An invariant without a value in some state: not violated, and not         *)
(* satisfied.                                                                *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 9
Half == <<10, 20, 30>>[x + 1] > 5
=============================================================================
