------------------------ MODULE InvariantAlwaysFalse ------------------------
(* An invariant that is the constant FALSE.                                  *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
Never == 1 = 2
=============================================================================
