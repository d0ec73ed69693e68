--------------------------- MODULE ReplacedChain ----------------------------
(* A replacement by a name that is replaced itself.                          *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
A == 1
B == 2
C == 3
=============================================================================
