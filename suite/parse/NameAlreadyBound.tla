-------------------------- MODULE NameAlreadyBound --------------------------
(* A bound name that means something else already.                           *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
Bad == \E x \in 1..2 : x > 1
=============================================================================
