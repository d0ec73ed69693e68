----------------------------- MODULE StoreRule ------------------------------
(* A function on all natural numbers can be applied; it cannot be part of a  *)
(* state.                                                                    *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE [k \in Nat |-> k + x]
=============================================================================
