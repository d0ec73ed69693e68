------------------------------ MODULE TenStates -----------------------------
(* Ten states, so that what is measured is the way from start to verdict.    *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 10
Small == x \in 0..9
=============================================================================
