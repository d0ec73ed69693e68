-------------------------- MODULE CompareInfinite ---------------------------
(* The empty set compared with Nat.                                          *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF {} = Nat THEN 1 ELSE 0
=============================================================================
