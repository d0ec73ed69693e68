--------------------------- MODULE ConstantInvariant ------------------------
(* An invariant that is always TRUE is dropped, with a warning.              *)
EXTENDS Naturals

VARIABLE x

Init == x \in 1..3
Next == x' = x
Trivial == 1 + 1 = 2
Real == x > 0
=============================================================================
