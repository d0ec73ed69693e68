--------------------------- MODULE StrayCharacter ---------------------------
(* A character that is no token ends the file for TLC, without a word: the   *)
(* invariant below it is not checked, and would be violated.                 *)
EXTENDS Integers

CONSTANT N
VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 3
Low == x < 2
=============================================================================
