--------------------------- MODULE MissingModule ----------------------------
(* A module that is nowhere.                                                 *)
EXTENDS Integers, NowhereToBeFound

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
=============================================================================
