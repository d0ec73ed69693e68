---------------------------- MODULE AppendToSet -----------------------------
(* Only a sequence can be appended to.                                       *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Append({1}, x)
=============================================================================
