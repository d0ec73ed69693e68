----------------------------- MODULE SharedLock -----------------------------
(* A mutant of ../protocols/TwoPhaseLocking.tla. It is enough that someone   *)
(* does not hold the lock: `\A` became `\E`.                                 *)
EXTENDS Naturals, FiniteSets

CONSTANTS Txn, Item

VARIABLES
    held,      \* held[t]: items that t has locked
    phase,     \* "running", "committed" or "aborted"
    conflicts  \* pairs <<t, u>>: t touched something before u did

vars == <<held, phase, conflicts>>

Init ==
    /\ held = [t \in Txn |-> {}]
    /\ phase = [t \in Txn |-> "running"]
    /\ conflicts = {}

Lock(t, i) ==
    /\ phase[t] = "running"
    /\ \E u \in Txn : i \notin held[u]
    /\ held' = [held EXCEPT ![t] = @ \cup {i}]
    /\ UNCHANGED <<phase, conflicts>>

\* At the end everything is released; those who come later come after.
Commit(t) ==
    /\ phase[t] = "running"
    /\ held[t] # {}
    /\ phase' = [phase EXCEPT ![t] = "committed"]
    /\ conflicts' = conflicts \cup {<<t, u>> : u \in {v \in Txn : v # t /\ phase[v] = "running"}}
    /\ held' = [held EXCEPT ![t] = {}]

Abort(t) ==
    /\ phase[t] = "running"
    /\ held[t] # {}
    /\ phase' = [phase EXCEPT ![t] = "aborted"]
    /\ held' = [held EXCEPT ![t] = {}]
    /\ conflicts' = {c \in conflicts : t \notin {c[1], c[2]}}

Next == \E t \in Txn : Commit(t) \/ Abort(t) \/ \E i \in Item : Lock(t, i)
Spec == Init /\ [][Next]_vars

NoSharing == \A t, u \in Txn : t # u => held[t] \cap held[u] = {}
RECURSIVE Reach(_, _)
Reach(S, n) == IF n = 0 THEN S ELSE Reach(S \cup {c[2] : c \in {d \in conflicts : d[1] \in S}}, n - 1)
NoCycle == \A t \in Txn : t \notin Reach({c[2] : c \in {d \in conflicts : d[1] = t}}, Cardinality(Txn))
=============================================================================
