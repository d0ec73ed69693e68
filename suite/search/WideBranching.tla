---------------------------- MODULE WideBranching ---------------------------
(* Many successors and few states: sets, functions and subsets as targets.   *)
EXTENDS Naturals, FiniteSets

VARIABLES f, s

Node == 1..3
Init == f = [n \in Node |-> 0] /\ s = {}
Next ==
    \/ f' \in [Node -> 0..1] /\ s' = s
    \/ s' \in SUBSET Node /\ f' = f
    \/ s' \subseteq s /\ f' = [n \in Node |-> IF n \in s' THEN 1 ELSE 0]
    \/ \E n, m \in Node : n # m /\ f' = [f EXCEPT ![n] = f[m]] /\ s' = s
Typed == f \in [Node -> 0..1] /\ s \subseteq Node
=============================================================================
