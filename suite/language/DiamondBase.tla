----------------------------- MODULE DiamondBase ----------------------------
(* Extended twice.                                                           *)
EXTENDS Naturals
CONSTANT Start
VARIABLE shared
Bump == shared' = shared + 1
=============================================================================
