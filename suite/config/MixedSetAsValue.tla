-------------------------- MODULE MixedSetAsValue ---------------------------
(* A set of a set and a string is put in order when it is read, and cannot   *)
(* be.                                                                       *)
EXTENDS Integers

CONSTANT N
VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 3
Low == x < 2
=============================================================================
