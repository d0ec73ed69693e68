---------------------------- MODULE RefinementStart -------------------------
(* The concrete clock may start at a time that the abstract one may not.     *)
EXTENDS Naturals

VARIABLES minutes

Abstract == INSTANCE AbstractClock WITH hour <- minutes \div 60
AbstractSpec == Abstract!Spec
Init == minutes \in {0, 45, 90}
Tick == minutes < 120 /\ minutes' = minutes + 30
Spec == Init /\ [][Tick]_minutes
=============================================================================
