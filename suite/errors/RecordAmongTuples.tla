-------------------------- MODULE RecordAmongTuples -------------------------
(* A set with a tuple and a record is put in order: the record comes       *)
(* later, and is compared with the tuple.                                  *)
EXTENDS Integers

VARIABLE x

Init == x = {}
Next == x' = {<<1>>, [a |-> 1, b |-> 1]}
=============================================================================
