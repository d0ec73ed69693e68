--------------------------- MODULE OutsideDomain ----------------------------
(* A function applied to what is not in its domain.                          *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE [i \in {0, 1} |-> i][x]
=============================================================================
