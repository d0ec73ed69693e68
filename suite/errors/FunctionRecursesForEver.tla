---------------------- MODULE FunctionRecursesForEver -----------------------
(* A function that is defined by itself at the same place.                   *)
EXTENDS Integers

VARIABLE x

F[n \in Nat] == F[n] + 1
Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE F[x]
=============================================================================
