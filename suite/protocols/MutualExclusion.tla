---------------------------- MODULE MutualExclusion -------------------------
(* Peterson's algorithm for two, step by step.                               *)
EXTENDS Naturals

VARIABLES pc, flag, turn

vars == <<pc, flag, turn>>
Other(p) == 1 - p

Init == pc = [p \in 0..1 |-> "rest"] /\ flag = [p \in 0..1 |-> FALSE] /\ turn \in 0..1

Go(p, from, to) == pc[p] = from /\ pc' = [pc EXCEPT ![p] = to]
Raise(p) == Go(p, "rest", "polite") /\ flag' = [flag EXCEPT ![p] = TRUE] /\ UNCHANGED turn
Yield(p) == Go(p, "polite", "wait") /\ turn' = Other(p) /\ UNCHANGED flag
Enter(p) == Go(p, "wait", "in") /\ (~flag[Other(p)] \/ turn = p) /\ UNCHANGED <<flag, turn>>
Leave(p) == Go(p, "in", "rest") /\ flag' = [flag EXCEPT ![p] = FALSE] /\ UNCHANGED turn
Next == \E p \in 0..1 : Raise(p) \/ Yield(p) \/ Enter(p) \/ Leave(p)
Spec == Init /\ [][Next]_vars

Alone == ~(pc[0] = "in" /\ pc[1] = "in")
=============================================================================
