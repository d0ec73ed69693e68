-------------------------- MODULE TooManyArguments --------------------------
(* A sequence takes one argument.                                            *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE <<10, 20>>[1, 2]
=============================================================================
