--------------------------- MODULE SymmetryFails ----------------------------
(* A symmetry set that has no value.                                         *)
EXTENDS Naturals, Sequences, TLC

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Turns == Permutations(Head(<<>>))
=============================================================================
