---------------------------- MODULE ReadWriteLock ---------------------------
(* A lock for many readers or one writer, given out in the order in which it *)
(* was asked for.                                                            *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANT Thread

VARIABLES waiting, readers, writers

vars == <<waiting, readers, writers>>

Waits(t) == \E i \in 1..Len(waiting) : waiting[i].who = t
Idle(t) == t \notin readers /\ t \notin writers /\ ~Waits(t)

Init == waiting = <<>> /\ readers = {} /\ writers = {}
Ask(t, kind) ==
    /\ Idle(t)
    /\ waiting' = Append(waiting, [who |-> t, kind |-> kind])
    /\ UNCHANGED <<readers, writers>>
Grant ==
    /\ waiting # <<>>
    /\ writers = {}
    /\ LET first == Head(waiting)
       IN  IF first.kind = "read"
           THEN readers' = readers \cup {first.who} /\ UNCHANGED writers
           ELSE readers = {} /\ writers' = {first.who} /\ UNCHANGED readers
    /\ waiting' = Tail(waiting)
Release(t) ==
    /\ t \in readers \cup writers
    /\ readers' = readers \ {t}
    /\ writers' = writers \ {t}
    /\ UNCHANGED waiting

Next == Grant \/ \E t \in Thread : Release(t) \/ \E k \in {"read", "write"} : Ask(t, k)
Spec == Init /\ [][Next]_vars

Exclusive == writers # {} => readers = {} /\ Cardinality(writers) = 1
NobodyTwice == \A i, j \in 1..Len(waiting) : waiting[i].who = waiting[j].who => i = j
=============================================================================
