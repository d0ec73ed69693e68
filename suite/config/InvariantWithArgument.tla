----------------------- MODULE InvariantWithArgument ------------------------
(* An invariant cannot take an argument.                                     *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
Below(k) == x < k
=============================================================================
