-------------------------- MODULE AssumptionFails ---------------------------
(* An assumption without a value.                                            *)
EXTENDS Integers, Sequences

VARIABLE x

ASSUME Head(<<>>) = 1
Init == x = 0
Next == x' = x
=============================================================================
