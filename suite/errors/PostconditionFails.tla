------------------------- MODULE PostconditionFails -------------------------
(* A postcondition without a value.                                          *)
EXTENDS Integers, Sequences, TLC

VARIABLE x

Init == x = 0
Next == x' = x
AtEnd == TLCGet("distinct") = Head(<<>>)
=============================================================================
