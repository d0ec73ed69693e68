--------------------------- MODULE CountInfinite ----------------------------
(* The number of natural numbers.                                            *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Cardinality(Nat)
=============================================================================
