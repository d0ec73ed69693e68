------------------------ MODULE RecordAgainstSequence -----------------------
(* A set as it is written has its elements on the left of the comparison,  *)
(* and a record is compared with records alone, also if it is the only one. *)
EXTENDS Integers

VARIABLE x

Init == x = 1
Next == x' = x
Inv == <<x>> \notin {[a |-> x, b |-> 2]}
=============================================================================
