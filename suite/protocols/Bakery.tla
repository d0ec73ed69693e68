------------------------------- MODULE Bakery -------------------------------
(* Lamport's bakery: take a number above all others, one look at a time, and *)
(* wait for those with lower ones. Numbers are bounded by a constraint.      *)
EXTENDS Naturals, FiniteSets

CONSTANTS N, MaxNumber

Proc == 1..N

VARIABLES
    pc,        \* where each process stands
    number,    \* its ticket, 0 if it has none
    choosing,  \* whether it is about to take one
    seen,      \* those it has looked at so far
    most       \* the highest ticket it has seen

vars == <<pc, number, choosing, seen, most>>

Init ==
    /\ pc = [p \in Proc |-> "idle"]
    /\ number = [p \in Proc |-> 0]
    /\ choosing = [p \in Proc |-> FALSE]
    /\ seen = [p \in Proc |-> {}]
    /\ most = [p \in Proc |-> 0]

Start(p) ==
    /\ pc[p] = "idle"
    /\ choosing' = [choosing EXCEPT ![p] = TRUE]
    /\ pc' = [pc EXCEPT ![p] = "look"]
    /\ seen' = [seen EXCEPT ![p] = {p}]
    /\ most' = [most EXCEPT ![p] = 0]
    /\ UNCHANGED number

Look(p) ==
    /\ pc[p] = "look"
    /\ \E q \in Proc \ seen[p] :
        /\ most' = [most EXCEPT ![p] = IF number[q] > @ THEN number[q] ELSE @]
        /\ seen' = [seen EXCEPT ![p] = @ \cup {q}]
    /\ UNCHANGED <<pc, number, choosing>>

Draw(p) ==
    /\ pc[p] = "look"
    /\ seen[p] = Proc
    /\ number' = [number EXCEPT ![p] = most[p] + 1]
    /\ choosing' = [choosing EXCEPT ![p] = FALSE]
    /\ pc' = [pc EXCEPT ![p] = "wait"]
    /\ seen' = [seen EXCEPT ![p] = {p}]
    /\ most' = [most EXCEPT ![p] = 0]

Before(p, q) == number[p] < number[q] \/ (number[p] = number[q] /\ p < q)

Pass(p) ==
    /\ pc[p] = "wait"
    /\ \E q \in Proc \ seen[p] :
        /\ ~choosing[q]
        /\ number[q] = 0 \/ Before(p, q)
        /\ seen' = [seen EXCEPT ![p] = @ \cup {q}]
    /\ UNCHANGED <<pc, number, choosing, most>>

Enter(p) ==
    /\ pc[p] = "wait"
    /\ seen[p] = Proc
    /\ pc' = [pc EXCEPT ![p] = "inside"]
    /\ UNCHANGED <<number, choosing, seen, most>>

Leave(p) ==
    /\ pc[p] = "inside"
    /\ pc' = [pc EXCEPT ![p] = "idle"]
    /\ number' = [number EXCEPT ![p] = 0]
    /\ seen' = [seen EXCEPT ![p] = {}]
    /\ UNCHANGED <<choosing, most>>

Next == \E p \in Proc : Start(p) \/ Look(p) \/ Draw(p) \/ Pass(p) \/ Enter(p) \/ Leave(p)
Spec == Init /\ [][Next]_vars

Bounded == \A p \in Proc : number[p] <= MaxNumber
Exclusion == \A p, q \in Proc : pc[p] = "inside" /\ pc[q] = "inside" => p = q
=============================================================================
