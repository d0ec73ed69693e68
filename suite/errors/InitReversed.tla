---------------------------- MODULE InitReversed ----------------------------
(* In an initial predicate too the variable must stand on the left.          *)
EXTENDS Integers

VARIABLE x

Init == 0 = x
Next == x' = x
=============================================================================
