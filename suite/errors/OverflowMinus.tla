--------------------------- MODULE OverflowMinus ----------------------------
(* The negation of the least number of 32 bits is not one of them.           *)
EXTENDS Integers

VARIABLE x

Init == x = -2147483647 - 1
Next == x' = -x /\ x < 0
Any_ == x # 0
=============================================================================
