-------------------------- MODULE SubsetOfInfinite --------------------------
(* Whether Nat is a subset of something would take for ever to find out.     *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF Nat \subseteq 1..5 THEN 1 ELSE 0
=============================================================================
