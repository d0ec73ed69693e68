---------------------------- MODULE AlwaysAsProperty ------------------------
(* []P as a property is an invariant, and is reported as one.                *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 5
AlwaysLow == [](x < 4)
=============================================================================
