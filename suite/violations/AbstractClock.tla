----------------------------- MODULE AbstractClock --------------------------
(* Hours, one after the other.                                               *)
EXTENDS Naturals
VARIABLE hour
ClockInit == hour = 0
ClockNext == hour' = hour + 1
Spec == ClockInit /\ [][ClockNext]_hour
=============================================================================
