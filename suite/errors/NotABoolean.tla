---------------------------- MODULE NotABoolean -----------------------------
(* A conjunction with a number in it.                                        *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF TRUE /\ x THEN 1 ELSE 0
=============================================================================
