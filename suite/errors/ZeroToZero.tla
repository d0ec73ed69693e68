----------------------------- MODULE ZeroToZero -----------------------------
(* Zero to the power of zero.                                                *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE (x - 2) ^ (x - 2)
=============================================================================
