---------------------------- MODULE CompareInNat ----------------------------
(* Is a string a natural number?                                             *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF "a" \in Nat THEN 1 ELSE 0
=============================================================================
