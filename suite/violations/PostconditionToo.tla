---------------------------- MODULE PostconditionToo ------------------------
(* After a violation the postcondition is evaluated all the same; that it is *)
(* false changes nothing about the verdict.                                  *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Next == x' = x + 1
Low == x < 2
AtEnd == PrintT("postcondition") /\ TLCGet("distinct") > 100
=============================================================================
