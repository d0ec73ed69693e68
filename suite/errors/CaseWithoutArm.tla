--------------------------- MODULE CaseWithoutArm ---------------------------
(* No arm of a CASE is true, and there is no OTHER.                          *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE CASE x = 0 -> 1 [] x = 1 -> 2
=============================================================================
