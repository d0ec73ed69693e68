---------------------------- MODULE ExceptOfSet -----------------------------
(* EXCEPT changes functions, not sets.                                       *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF [{x} EXCEPT ![1] = 2] = {2} THEN 1 ELSE 0
=============================================================================
