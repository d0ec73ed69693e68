------------------------- MODULE ModelValueInSubset -------------------------
(* A model value is no member of a set of sets: TLC does not know.           *)
EXTENDS Integers

CONSTANT None
VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF None \in SUBSET {1, 2} THEN 1 ELSE 0
=============================================================================
