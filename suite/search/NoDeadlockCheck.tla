---------------------------- MODULE NoDeadlockCheck -------------------------
(* The option -deadlock turns the check for deadlocks off, although the      *)
(* configuration asks for it.                                                *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Range == x <= 3
=============================================================================
