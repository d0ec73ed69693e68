---------------------------- MODULE DeadlockAtDepth -------------------------
(* Two walkers in a narrow corridor cannot pass each other.                  *)
EXTENDS Naturals

VARIABLES left, right

Init == left = 1 /\ right = 5
GoRight == left + 1 < right /\ left' = left + 1 /\ right' = right
GoLeft == right - 1 > left /\ right' = right - 1 /\ left' = left
Next == GoRight \/ GoLeft
Apart == left # right
=============================================================================
