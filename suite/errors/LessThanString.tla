--------------------------- MODULE LessThanString ---------------------------
(* A string is not less than anything.                                       *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF "a" < "b" THEN 1 ELSE 0
=============================================================================
