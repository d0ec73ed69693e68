---------------------------- MODULE ApplyNumber -----------------------------
(* A number is not a function.                                               *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE x[1]
=============================================================================
