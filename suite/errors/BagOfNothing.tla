---------------------------- MODULE BagOfNothing ----------------------------
(* Not a bag: a count of zero.                                               *)
EXTENDS Integers, Sequences, Bags

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE BagCardinality(<<0, x>>)
=============================================================================
