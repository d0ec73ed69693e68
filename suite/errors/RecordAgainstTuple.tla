------------------------- MODULE RecordAgainstTuple -------------------------
(* The same of a tuple, in a step.                                         *)
EXTENDS Integers

VARIABLE x

Init == x = <<1>>
Next == [a |-> 1, b |-> 1] = x /\ x' = x
=============================================================================
