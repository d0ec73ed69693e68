----------------------------- MODULE NeverPossible --------------------------
(* One of the things that should be possible never happens.                  *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = (x + 2) % 6
ReachesFour == x = 4
ReachesFive == x = 5
=============================================================================
