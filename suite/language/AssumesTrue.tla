----------------------------- MODULE AssumesTrue ----------------------------
(* To be extended: its assumption is checked.                                *)
EXTENDS Naturals, TLC
ASSUME ExtendedFact == 1 + 1 = 2
ASSUME PrintT("assumption of the extended module")
=============================================================================
