------------------------------ MODULE Refinement ----------------------------
(* A specification is a property: the initial predicate and the steps of the *)
(* abstract one hold under a mapping of its variables. Here two counters     *)
(* implement the sum that the abstract module speaks of, and steps that do   *)
(* not move the sum are steps of nothing.                                    *)
EXTENDS Naturals

VARIABLES high, low, busy

Abstract == INSTANCE SumSpec WITH total <- 3 * high + low, limit <- 8
AbstractSpec == Abstract!Spec

Init == high = 0 /\ low = 0 /\ busy = FALSE
Begin == ~busy /\ busy' = TRUE /\ UNCHANGED <<high, low>>
Digit == busy /\ low < 2 /\ low' = low + 1 /\ UNCHANGED high /\ busy' = FALSE
Carry == busy /\ low = 2 /\ high < 2 /\ low' = 0 /\ high' = high + 1 /\ busy' = FALSE
Spec == Init /\ [][Begin \/ Digit \/ Carry]_<<high, low, busy>>
=============================================================================
