----------------------------- MODULE AssertInStep ---------------------------
(* Assert inside of an action: false on the third step.                      *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Next == x' = x + 2 /\ Assert(x' < 6, <<"too far", x, x'>>)
=============================================================================
