---------------------------- MODULE SymmetricStart --------------------------
(* Initial states are reduced by symmetry too.                               *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANT Node
VARIABLES up

Perms == Permutations(Node)
Init == up \in SUBSET Node
Next == \E n \in Node : up' = IF n \in up THEN up \ {n} ELSE up \cup {n}
Some == Cardinality(up) <= Cardinality(Node)
=============================================================================
