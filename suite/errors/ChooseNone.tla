----------------------------- MODULE ChooseNone -----------------------------
(* CHOOSE where nothing fits.                                                *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE CHOOSE k \in 1..3 : k > x + 1
=============================================================================
