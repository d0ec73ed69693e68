--------------------------- MODULE PrimeOfElement ---------------------------
(* An equation for one element of a function does not give the function a    *)
(* value.                                                                    *)
EXTENDS Integers

VARIABLE f

Init == f = [i \in 1..2 |-> 0]
Next == f'[1] = 1 /\ f'[2] = 0
=============================================================================
