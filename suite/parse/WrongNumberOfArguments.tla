----------------------- MODULE WrongNumberOfArguments -----------------------
(* An operator with one argument too few.                                    *)
EXTENDS Integers

VARIABLES x, y

Init == x = 0 /\ y = 0
Next == x' = (x + 1) % 3 /\ y' = x
Range == x \in 0..2
Add(a, b) == a + b
Bad == Add(1)
=============================================================================
