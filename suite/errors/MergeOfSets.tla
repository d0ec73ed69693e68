---------------------------- MODULE MergeOfSets -----------------------------
(* Only functions can be merged.                                             *)
EXTENDS Integers, TLC

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF {1} @@ {2} = {} THEN 1 ELSE 0
=============================================================================
