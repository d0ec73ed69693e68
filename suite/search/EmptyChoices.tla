----------------------------- MODULE EmptyChoices ---------------------------
(* A choice out of nothing is no step; not in an action, not in a part of    *)
(* one, whether the set is always empty or only now.                         *)
EXTENDS Naturals

CONSTANT Spare
VARIABLES s, n

Init == s = {1, 2} /\ n = 0
Never == \E k \in Spare : n' = k /\ s' = s
Take == \E k \in s : s' = s \ {k} /\ n' \in {n + k}
NoTarget == n' \in {} /\ s' = s
Refill == s = {} /\ n = 3 /\ s' = {3} /\ n' = 0
Next == Never \/ Take \/ NoTarget \/ Refill
Range == n \in 0..3
=============================================================================
