------------------------- MODULE AssertInConstraint -------------------------
(* Assert inside of a constraint.                                            *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Checked == Assert(x # 2, "two is not allowed")
=============================================================================
