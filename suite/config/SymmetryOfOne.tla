--------------------------- MODULE SymmetryOfOne ----------------------------
(* A symmetry of one element does nothing; a warning.                        *)
EXTENDS Integers, TLC

CONSTANT Node
VARIABLE x

Perms == Permutations(Node)
Init == x \in Node
Next == x' \in Node
=============================================================================
