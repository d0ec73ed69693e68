---------------------------- MODULE DefinedTwice ----------------------------
(* Two definitions of one name.                                              *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
Twice == 1
Twice == 2
=============================================================================
