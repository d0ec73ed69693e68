----------------------------- MODULE LeaseHolder ----------------------------
(* A lease is good for a while, by the clock of whoever holds it; clocks may *)
(* be a little apart. The server waits for that little longer before it      *)
(* gives the lease to another one.                                           *)
EXTENDS Naturals, FiniteSets

CONSTANTS Client, Length, Drift, MaxTime, None

VARIABLES now, offset, holder, until, believes

vars == <<now, offset, holder, until, believes>>

\* What the clock of c shows; never more than Drift behind the true time.
Clock(c) == now - offset[c]

Init ==
    /\ now = Drift
    /\ offset \in [Client -> 0..Drift]
    /\ holder = None
    /\ until = 0
    /\ believes = [c \in Client |-> 0]

Tick == now < MaxTime /\ now' = now + 1 /\ UNCHANGED <<offset, holder, until, believes>>
Grant(c) ==
    /\ holder = None
    /\ holder' = c
    /\ until' = now + Length + Drift
    /\ believes' = [believes EXCEPT ![c] = Clock(c) + Length]
    /\ UNCHANGED <<now, offset>>
Expire ==
    /\ holder # None
    /\ now >= until
    /\ holder' = None
    /\ UNCHANGED <<now, offset, until, believes>>
Next == Tick \/ Expire \/ \E c \in Client : Grant(c)
Spec == Init /\ [][Next]_vars

Thinks(c) == Clock(c) < believes[c]
OneAtATime == \A c, d \in Client : Thinks(c) /\ Thinks(d) => c = d
=============================================================================
