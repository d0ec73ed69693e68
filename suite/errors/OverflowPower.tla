--------------------------- MODULE OverflowPower ----------------------------
(* A power beyond 32 bits.                                                   *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x < 5 /\ x' = x + 1 /\ 2 ^ (8 * x) > 0
Small == x < 6
=============================================================================
