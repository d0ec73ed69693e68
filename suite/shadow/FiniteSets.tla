----------------------------- MODULE FiniteSets -----------------------------
(* Not the standard module.                                                  *)
EXTENDS Naturals
Cardinality(S) == 42
IsFiniteSet(S) == FALSE
OnlyHere == "from the file"
=============================================================================
