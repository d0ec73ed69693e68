-------------------------- MODULE AssertNotBoolean --------------------------
(* Assert needs a truth value.                                               *)
EXTENDS Integers, TLC

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF Assert(x, "no") THEN 1 ELSE 0
=============================================================================
