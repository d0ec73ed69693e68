------------------------------ MODULE MixedSet ------------------------------
(* A set of a number and a string can be written; it cannot become part of a *)
(* state.                                                                    *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE {x, "a"}
=============================================================================
