-------------------------- MODULE AssertInAssumption ------------------------
(* Assert inside of an assumption.                                           *)
EXTENDS Naturals, TLC

VARIABLE x

ASSUME Assert(1 > 2, "one is not more")
Init == x = 0
Next == x' = x
=============================================================================
