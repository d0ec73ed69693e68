------------------------ MODULE InvariantNotBoolean -------------------------
(* An invariant that is a number.                                            *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 9
Number == x + 1
=============================================================================
