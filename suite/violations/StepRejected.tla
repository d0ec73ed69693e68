------------------------------ MODULE StepRejected --------------------------
(* Steps are checked even when an action constraint rejects them.            *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = x + 1 \/ x' = x + 3
Slow == x' <= x + 1
ByOne == [][x' = x + 1]_x
Small == x < 5
=============================================================================
