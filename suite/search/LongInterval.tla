----------------------------- MODULE LongInterval ---------------------------
(* Ten million numbers: asked for a witness, of which there is one early.    *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x < 2 /\ \E k \in 1..10000000 : k = 3 /\ x' = x + 1
=============================================================================
