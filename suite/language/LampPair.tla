------------------------------- MODULE LampPair -----------------------------
(* Two lamps, by two instances.                                              *)
VARIABLES lit, time

First == INSTANCE LampParts WITH who <- 1
Second(n) == INSTANCE LampParts WITH who <- n
BothFine == First!Fine /\ Second(2)!Fine
=============================================================================
