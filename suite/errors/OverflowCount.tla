--------------------------- MODULE OverflowCount ----------------------------
(* The number of subsets of a set of forty elements does not fit in 32 bits. *)
EXTENDS Integers, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = Cardinality(SUBSET (1..40)) % 5
Small == x < 5
=============================================================================
