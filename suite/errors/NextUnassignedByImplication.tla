-------------------- MODULE NextUnassignedByImplication ---------------------
(* An implication with a false guard says nothing: the variable has no next  *)
(* value.                                                                    *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 4 /\ (x < 2 => y' = x)
=============================================================================
