----------------------------- MODULE LeadsToFails ---------------------------
(* A request that is not always answered.                                    *)
EXTENDS Naturals

VARIABLES asked, served

vars == <<asked, served>>
Init == asked = FALSE /\ served = 0
Ask == ~asked /\ asked' = TRUE /\ UNCHANGED served
Serve == asked /\ served < 2 /\ asked' = FALSE /\ served' = served + 1
Idle == served = 2 /\ asked /\ UNCHANGED vars
Spec == Init /\ [][Ask \/ Serve \/ Idle]_vars /\ WF_vars(Ask \/ Serve)
Answered == asked ~> ~asked
=============================================================================
