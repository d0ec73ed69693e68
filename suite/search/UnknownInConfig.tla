---------------------------- MODULE UnknownInConfig -------------------------
(* A value for a name that is not in the specification is passed over.       *)
EXTENDS Naturals

CONSTANT N
VARIABLE x

Init == x = 0
Next == x' = (x + 1) % N
Range == x < N
=============================================================================
