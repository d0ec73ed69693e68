------------------------- MODULE SymmetryOfNumbers --------------------------
(* Only model values can be exchanged.                                       *)
EXTENDS Integers, TLC

CONSTANT Node
VARIABLE x

Perms == Permutations(Node)
Init == x \in Node
Next == x' \in Node
=============================================================================
