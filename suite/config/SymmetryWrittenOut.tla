------------------------- MODULE SymmetryWrittenOut -------------------------
(* A symmetry set that is written out has no effect in TLC, which takes it   *)
(* for permutations of sets of one element; a warning.                       *)
EXTENDS Integers, TLC

CONSTANTS a, b, c
VARIABLE x

Perms == {a :> b @@ b :> a @@ c :> c, a :> b @@ b :> c @@ c :> a}
Init == x \in {a, b, c}
Next == x' \in {a, b, c}
=============================================================================
