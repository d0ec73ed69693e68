----------------------- MODULE TypedAgainstOtherType ------------------------
(* Model values of two types compared.                                       *)
EXTENDS Integers

CONSTANTS Apple, Pear
VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF Apple = Pear THEN 1 ELSE 0
=============================================================================
