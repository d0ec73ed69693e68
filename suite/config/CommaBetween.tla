---------------------------- MODULE CommaBetween ----------------------------
(* There are no commas between assignments.                                  *)
EXTENDS Integers

CONSTANTS N, M
VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 3
Low == x < 2
=============================================================================
