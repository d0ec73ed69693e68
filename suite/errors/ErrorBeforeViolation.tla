------------------------ MODULE ErrorBeforeViolation ------------------------
(* In one step an error and a violation: what comes first in the order of    *)
(* successors is reported.                                                   *)
EXTENDS Integers, Sequences

VARIABLE x

Init == x = 0
Next == \/ x' = x + 1
        \/ x = 1 /\ x' = Head(<<>>)
        \/ x = 1 /\ x' = 50
Low == x < 40
=============================================================================
