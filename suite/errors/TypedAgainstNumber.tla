------------------------- MODULE TypedAgainstNumber -------------------------
(* A model value with a type compared with a number.                         *)
EXTENDS Integers

CONSTANT Apple
VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF Apple = 5 THEN 1 ELSE 0
=============================================================================
