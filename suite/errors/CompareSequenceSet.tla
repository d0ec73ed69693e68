------------------------- MODULE CompareSequenceSet -------------------------
(* The empty sequence compared with the empty set.                           *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF <<>> = {} THEN 1 ELSE 0
=============================================================================
