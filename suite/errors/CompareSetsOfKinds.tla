------------------------- MODULE CompareSetsOfKinds -------------------------
(* Two sets of one element each, of different kinds: the sizes do not        *)
(* decide, so the elements are compared.                                     *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF {x} = {"a"} THEN 1 ELSE 0
=============================================================================
