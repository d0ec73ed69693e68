--------------------------- MODULE CommittedLogs ---------------------------
(* What CCF's consensus is for, without nodes, terms and messages: each node *)
(* has a log of what is committed, which only grows, and of any two logs one *)
(* begins with the other.                                                    *)
EXTENDS Naturals, Sequences

CONSTANT Node
VARIABLE logs

IsPrefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
Agree(ls) == \A i, j \in Node : IsPrefix(ls[i], ls[j]) \/ IsPrefix(ls[j], ls[i])

Init == Agree(logs)
Grow(i) == /\ IsPrefix(logs[i], logs'[i])
           /\ \A j \in Node \ {i} : logs'[j] = logs[j]
           /\ Agree(logs')

Next == \E i \in Node : Grow(i)
Spec == Init /\ [][Next]_logs
=============================================================================
