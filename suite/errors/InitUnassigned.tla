--------------------------- MODULE InitUnassigned ---------------------------
(* An initial predicate that says nothing about a variable.                  *)
EXTENDS Integers

VARIABLES x, y

Init == x \in {1, 2}
Next == x' = x /\ y' = y
=============================================================================
