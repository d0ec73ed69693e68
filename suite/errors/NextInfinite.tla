---------------------------- MODULE NextInfinite ----------------------------
(* A next value out of an infinite set.                                      *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x' \in Nat
=============================================================================
