-------------------------- MODULE PossibleWitnessed -------------------------
(* _POSSIBLE asks that some state, or some step, is like that.               *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = (x + 2) % 6
ReachesFour == x = 4
WrapsAround == x' < x
=============================================================================
