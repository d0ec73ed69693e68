------------------------ MODULE CompareTuplesOfKinds ------------------------
(* Tuples are compared from the left; the first components are equal, the    *)
(* second ones cannot be compared.                                           *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF <<x, "a">> = <<2, 5>> THEN 1 ELSE 0
=============================================================================
