------------------------- MODULE NegatedAssignment --------------------------
(* A negated inequality is a test, not an assignment.                        *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == ~(x' # 1)
=============================================================================
