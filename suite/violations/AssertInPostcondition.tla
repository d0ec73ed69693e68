----------------------- MODULE AssertInPostcondition ------------------------
(* Assert inside of a postcondition.                                         *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
AtEnd == Assert(TLCGet("distinct") = 3, "there are not three states")
=============================================================================
