--------------------------- MODULE ReplacedArity ----------------------------
(* A replacement must take as many arguments.                                *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
Step(k) == k
Wide(k, l) == k + l
=============================================================================
