--------------------------- MODULE TupleAmongRecords --------------------------
(* A sequence is looked for in a set that has one record of another size. TLC *)
(* compares the record with the sequence and refuses; once the set is in      *)
(* normal form, as in `Known` and in a variable, it compares the sequence     *)
(* with the record, and says FALSE.                                           *)
EXTENDS Naturals

VARIABLE x

Known == {[a |-> 1, b |-> 2]}
Init == x = Known
Next == x' = x
Inv == <<1>> \notin Known /\ <<1>> \notin x /\ <<1>> \notin {[a |-> 1, b |-> 2]}
==============================================================================
