-------------------------- MODULE ExistsUnbounded ---------------------------
(* A quantifier without a set.                                               *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF \E k : k = x THEN 1 ELSE 0
=============================================================================
