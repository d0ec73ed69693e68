------------------------ MODULE ConstraintWithPrime -------------------------
(* A constraint is about one state: for an initial state there is no next   *)
(* one that the prime could speak of.                                        *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
Moves == x' < 5
=============================================================================
