------------------------ MODULE CompareBooleanNumber ------------------------
(* A truth value compared with a number.                                     *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF (x = 2) = 1 THEN 1 ELSE 0
=============================================================================
