------------------------- MODULE IntervalOfStrings --------------------------
(* An interval between strings.                                              *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Cardinality("a".."z")
=============================================================================
