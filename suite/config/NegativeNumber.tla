--------------------------- MODULE NegativeNumber ---------------------------
(* A configuration has no negative numbers.                                  *)
EXTENDS Integers

CONSTANT N
VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 3
Low == x < 2
=============================================================================
