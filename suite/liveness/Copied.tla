-------------------------------- MODULE Copied ------------------------------
(* Refinement with a variable of its own name, so that ENABLED through the   *)
(* substitution can give it values.                                          *)
EXTENDS Naturals
VARIABLES bit, turns
vars == <<bit, turns>>
Init == bit = 0 /\ turns = 0
Flip == bit' = 1 - bit /\ turns' = (turns + 1) % 3
Idle == UNCHANGED bit /\ turns' = (turns + 1) % 3
Next == Flip \/ Idle
Loose == Init /\ [][Next]_vars /\ WF_vars(Next)
Tight == Init /\ [][Next]_vars /\ WF_vars(Flip)
A == INSTANCE Abstract
Refines == A!Spec
=============================================================================
