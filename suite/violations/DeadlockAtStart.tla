---------------------------- MODULE DeadlockAtStart -------------------------
(* The second of three initial states has no step. It is noticed when it is  *)
(* its turn to be explored.                                                  *)
EXTENDS Naturals

VARIABLE x

Init == x \in 1..3
Next == x # 2 /\ x' = x
=============================================================================
