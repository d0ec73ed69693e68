-------------------------- MODULE ChooseUnbounded ---------------------------
(* CHOOSE without a set to choose from.                                      *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE CHOOSE k : k > x
=============================================================================
