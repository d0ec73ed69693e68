--------------------------- MODULE StoreInfinite ----------------------------
(* An infinite set cannot be part of a state.                                *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Nat
=============================================================================
