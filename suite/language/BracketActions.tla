--------------------------- MODULE BracketActions ---------------------------
(* [A]_v as part of Next makes the steps of A and one in which v stays;      *)
(* <<A>>_v makes those steps of A in which v changes.                        *)
EXTENDS Naturals

VARIABLES x, y

vars == <<x, y>>
Up == x' = (x + 1) % 3 /\ y' = y
Any2 == x' \in 0..2 /\ y' = 1

Init == x = 0 /\ y = 0
Next == [Up]_vars \/ <<Any2>>_x
Range == x \in 0..2
=============================================================================
