---------------------------- MODULE InitInfinite ----------------------------
(* Initial values out of an infinite set.                                    *)
EXTENDS Integers

VARIABLE x

Init == x \in Nat
Next == x' = x
=============================================================================
