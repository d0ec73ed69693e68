---------------------------- MODULE UsesNaturals ----------------------------
(* Uses a definition of a standard module.                                   *)
EXTENDS Naturals
Numbers == Nat
IsNumber(k) == k \in Nat
=============================================================================
