-------------------------- MODULE RecursesForEver ---------------------------
(* An operator that never stops calling itself. TLC runs out of stack; the   *)
(* answer must be an error and not a crash.                                  *)
EXTENDS Integers

VARIABLE x

RECURSIVE Lost(_)
Lost(n) == 1 + Lost(n + 1)
Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Lost(0)
=============================================================================
