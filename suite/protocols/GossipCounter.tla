---------------------------- MODULE GossipCounter ---------------------------
(* A counter without a master: every replica counts its own increments, and  *)
(* replicas exchange what they know. Merging takes the larger number, so     *)
(* that nothing is counted twice however often it is told.                   *)
EXTENDS Naturals, FiniteSets

CONSTANTS Replica, MaxCount

VARIABLES know, real   \* know[r][s]: what r knows of s; real[s]: what s has done

Max(a, b) == IF a < b THEN b ELSE a

Init ==
    /\ know = [r \in Replica |-> [s \in Replica |-> 0]]
    /\ real = [s \in Replica |-> 0]
Count(r) ==
    /\ real[r] < MaxCount
    /\ real' = [real EXCEPT ![r] = @ + 1]
    /\ know' = [know EXCEPT ![r][r] = @ + 1]
Tell(r, s) ==
    /\ r # s
    /\ know' = [know EXCEPT ![s] = [t \in Replica |-> Max(know[s][t], know[r][t])]]
    /\ UNCHANGED real
Next == \E r \in Replica : Count(r) \/ \E s \in Replica : Tell(r, s)
Spec == Init /\ [][Next]_<<know, real>>

NeverAhead == \A r, s \in Replica : know[r][s] <= real[s]
OwnIsExact == \A r \in Replica : know[r][r] = real[r]
OnlyGrows == [][\A r, s \in Replica : know'[r][s] >= know[r][s]]_know
=============================================================================
