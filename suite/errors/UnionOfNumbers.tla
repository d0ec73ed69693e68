--------------------------- MODULE UnionOfNumbers ---------------------------
(* UNION of things that are no sets.                                         *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF UNION {1, 2} = {} THEN 1 ELSE 0
=============================================================================
