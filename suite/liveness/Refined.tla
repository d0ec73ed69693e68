------------------------------- MODULE Refined ------------------------------
(* Refinement: a counter of which the remainder is the abstract bit. Init,   *)
(* steps and fairness of the abstract specification are checked each by      *)
(* itself; ENABLED of its action is asked of the counter.                    *)
EXTENDS Naturals
VARIABLE count
Init == count = 0
Next == count' = (count + 1) % 4
Lazy == Init /\ [][Next]_count
Fair == Lazy /\ WF_count(Next)
A == INSTANCE Abstract WITH bit <- count % 2
B(n) == INSTANCE Abstract WITH bit <- IF count < n THEN 0 ELSE 1
Refines == A!Spec
RefinesStrongly == A!Strong
IsLive == A!Live
Other == B(2)!Live
Wrong == B(2)!Spec
=============================================================================
