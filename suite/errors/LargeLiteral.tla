---------------------------- MODULE LargeLiteral ----------------------------
(* A literal beyond 32 bits is refused by TLC before anything is evaluated.  *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 3
Small == x < 9999999999
=============================================================================
