---------------------------- MODULE DiamondRight ----------------------------
(* The other side.                                                           *)
EXTENDS DiamondBase
VARIABLE r
StepRight == r < 3 /\ Bump /\ r' = r + 1
=============================================================================
