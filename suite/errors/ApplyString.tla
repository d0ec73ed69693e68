---------------------------- MODULE ApplyString -----------------------------
(* A string is not a function on its places.                                 *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE "abc"[x]
=============================================================================
