-------------------------- MODULE SpecificationParts ------------------------
(* SPECIFICATION is taken apart: conjuncts about one state are the initial   *)
(* predicate, [][N]_v is the next-state relation, the rest is fairness. It   *)
(* may be reached through definitions, LET and an instance with a parameter. *)
EXTENDS Naturals

VARIABLES x, y
vars == <<x, y>>

StartX == x = 0
StartY == y \in {0, 1}
Step(k) == x < 4 /\ x' = x + k /\ UNCHANGED y
Flip == y' = 1 - y /\ UNCHANGED x
Next == (\E k \in 1..2 : Step(k)) \/ Flip

Safe == StartX /\ [][Next]_vars
Spec ==
    /\ StartY
    /\ LET fair == WF_vars(Flip) IN Safe /\ fair
    /\ \A k \in 1..2 : SF_vars(Step(k))
Bound == x <= 5
=============================================================================
