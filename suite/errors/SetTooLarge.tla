---------------------------- MODULE SetTooLarge -----------------------------
(* A set of more than a million elements.                                    *)
EXTENDS Integers

VARIABLE x

Init == x = {}
Next == x' = {2 * k : k \in 1..1000001}
=============================================================================
