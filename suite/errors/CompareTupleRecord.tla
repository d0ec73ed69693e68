------------------------- MODULE CompareTupleRecord -------------------------
(* A tuple and a record of one element each: their domains cannot be         *)
(* compared.                                                                 *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF <<x>> = [b |-> 2] THEN 1 ELSE 0
=============================================================================
