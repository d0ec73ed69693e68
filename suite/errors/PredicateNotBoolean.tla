------------------------ MODULE PredicateNotBoolean -------------------------
(* A filter needs a truth value for each element.                            *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Cardinality({k \in 1..2 : k})
=============================================================================
