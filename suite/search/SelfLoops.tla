------------------------------ MODULE SelfLoops -----------------------------
(* Steps that change nothing are generated and counted like others, and a    *)
(* state that can only do that is no deadlock.                               *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Up == x < 2 /\ x' = x + 1
Idle == UNCHANGED x
Again == x' = x
Next == Up \/ Idle \/ Again
Range == x \in 0..2
=============================================================================
