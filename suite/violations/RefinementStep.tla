---------------------------- MODULE RefinementStep --------------------------
(* The concrete clock skips an hour that the abstract one has.               *)
EXTENDS Naturals

VARIABLES minutes

Abstract == INSTANCE AbstractClock WITH hour <- minutes \div 60
AbstractSpec == Abstract!Spec
Init == minutes = 0
Tick == minutes < 600 /\ minutes' = minutes + 30
Jump == minutes = 120 /\ minutes' = 240
Spec == Init /\ [][Tick \/ Jump]_minutes
=============================================================================
