--------------------------- MODULE CupWithNumber ----------------------------
(* A number has no union with a set.                                         *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Cardinality({1} \cup x)
=============================================================================
