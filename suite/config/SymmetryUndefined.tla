------------------------- MODULE SymmetryUndefined --------------------------
(* A symmetry that is not defined.                                           *)
EXTENDS Integers, TLC

CONSTANT Node
VARIABLE x

Perms == Permutations(Node)
Init == x \in Node
Next == x' \in Node
=============================================================================
