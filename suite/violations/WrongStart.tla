------------------------------- MODULE WrongStart ---------------------------
(* A property about one state speaks of initial states.                      *)
EXTENDS Naturals

VARIABLE x

Init == x \in 0..2
Next == x' = (x + 1) % 3
StartsAtZero == x < 2
=============================================================================
