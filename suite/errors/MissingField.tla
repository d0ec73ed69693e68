---------------------------- MODULE MissingField ----------------------------
(* A record without the field that is asked for.                             *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE [a |-> x].b
=============================================================================
