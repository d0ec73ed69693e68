------------------------ MODULE RecordAgainstFunction -----------------------
(* A record is compared with records alone, whatever the sizes.            *)
EXTENDS Integers

VARIABLE x

Init == x = 1
Next == x' = x
Inv == [a |-> x, b |-> 1] # [i \in 1..3 |-> x]
=============================================================================
