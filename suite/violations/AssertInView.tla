---------------------------- MODULE AssertInView ----------------------------
(* Assert inside of the view.                                                *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Seen == IF Assert(x # 2, "two is not allowed") THEN x ELSE 0
=============================================================================
