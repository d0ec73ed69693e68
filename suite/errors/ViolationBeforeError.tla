------------------------ MODULE ViolationBeforeError ------------------------
(* As in ErrorBeforeViolation, the other way round.                          *)
EXTENDS Integers, Sequences

VARIABLE x

Init == x = 0
Next == \/ x' = x + 1
        \/ x = 1 /\ x' = 50
        \/ x = 1 /\ x' = Head(<<>>)
Low == x < 40
=============================================================================
