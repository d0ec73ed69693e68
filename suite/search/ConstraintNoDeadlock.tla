------------------------- MODULE ConstraintNoDeadlock -----------------------
(* A state whose successors all lie outside of the constraints has           *)
(* successors: it is no deadlock.                                            *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = x + 1
Small == x < 3
NoBigStep == x' # 2
=============================================================================
