------------------------ MODULE ConditionNotBoolean -------------------------
(* IF needs a truth value.                                                   *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF x THEN 1 ELSE 0
=============================================================================
