---------------------------- MODULE ExtendsDiamond --------------------------
(* Two extended modules that both extend a third: its variable and constant  *)
(* are there once.                                                           *)
EXTENDS DiamondLeft, DiamondRight

Init == shared = Start /\ l = 0 /\ r = 0
Next == (StepLeft /\ UNCHANGED r) \/ (StepRight /\ UNCHANGED l)
InStep == shared = l + r + Start
=============================================================================
