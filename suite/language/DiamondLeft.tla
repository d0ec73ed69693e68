----------------------------- MODULE DiamondLeft ----------------------------
(* One side.                                                                 *)
EXTENDS DiamondBase
VARIABLE l
StepLeft == l < 2 /\ Bump /\ l' = l + 1
=============================================================================
