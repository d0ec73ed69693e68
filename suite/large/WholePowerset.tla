--------------------------- MODULE WholePowerset ---------------------------
(* A variable whose value is a set of more than a million elements.         *)
EXTENDS Naturals
VARIABLE family
Init == family = {}
Next == family = {} /\ family' = SUBSET (1..20)
=============================================================================
