--------------------------- MODULE PrimeTooEarly ----------------------------
(* A next value is read before it is given: conjuncts go from left to right. *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == y' = x' + 1 /\ x' = (x + 1) % 3
=============================================================================
