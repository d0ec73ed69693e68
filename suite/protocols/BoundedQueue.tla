----------------------------- MODULE BoundedQueue ---------------------------
(* A queue with room for a few items, threads that put and threads that get. *)
(* Whoever cannot go on sleeps, and is woken by a thread of the other side.  *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Putter, Getter, Capacity

VARIABLES
    items,    \* what is in the queue: who put it
    asleep    \* the threads that wait

Thread == Putter \cup Getter
Init == items = <<>> /\ asleep = {}

WakeOne(S) ==
    IF asleep \cap S = {} THEN asleep' = asleep
    ELSE \E t \in asleep \cap S : asleep' = asleep \ {t}

Put(t) ==
    /\ t \notin asleep
    /\ IF Len(items) < Capacity
       THEN items' = Append(items, t) /\ WakeOne(Getter)
       ELSE asleep' = asleep \cup {t} /\ UNCHANGED items
Get(t) ==
    /\ t \notin asleep
    /\ IF items # <<>>
       THEN items' = Tail(items) /\ WakeOne(Putter)
       ELSE asleep' = asleep \cup {t} /\ UNCHANGED items

Next == (\E t \in Putter : Put(t)) \/ (\E t \in Getter : Get(t))
Spec == Init /\ [][Next]_<<items, asleep>>

TypeOK == items \in UNION {[1..n -> Putter] : n \in 0..Capacity} /\ asleep \subseteq Thread
SomeoneAwake == asleep # Thread
=============================================================================
