---------------------------- MODULE Consistency ----------------------------
(* What clients of CCF may see, whatever its nodes do: a history of requests,*)
(* answers and statuses, and for each view the log of its leader. Whoever    *)
(* believes to lead may answer, so that several views go on at once.         *)
(*                                                                           *)
(* All transactions are of one kind: a client observes the transactions that *)
(* were executed before its own, and, if it writes, its own is one more.     *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS HistoryLimit, ViewLimit

VARIABLES
    history,   \* what clients sent and were told, in this order
    branches   \* branches[v]: the transactions in the log of the leader of view v

vars == <<history, branches>>

-----------------------------------------------------------------------------
Events(types) == {n \in DOMAIN history : history[n].type \in types}
Requests(types) == {history[n].tx : n \in Events(types)}
Happens(e) == Len(history) < HistoryLimit /\ history' = Append(history, e)
NextTx == Cardinality(Events({"rwRequest", "roRequest"})) + 1
IsPrefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
Prefix(s, n) == SubSeq(s, 1, n)
Has(s, x) == \E n \in DOMAIN s : s[n] = x
Max0(s) == CHOOSE x \in s \cup {0} : \A y \in s : y <= x

Statuses(status) == {n \in Events({"status"}) : history[n].status = status}
Last == branches[Len(branches)]
\* What is known to be committed is in the last view, as far as this.
Committed == Prefix(Last, Max0({history[n].seqno : n \in Statuses("committed")}))

Init == history = <<>> /\ branches = <<<<>>>>

-----------------------------------------------------------------------------
RwRequest == Happens([type |-> "rwRequest", tx |-> NextTx]) /\ UNCHANGED branches
RoRequest == Happens([type |-> "roRequest", tx |-> NextTx]) /\ UNCHANGED branches

\* The leader of view v, whether it still is one or only believes to be.
Execute(v) == \E tx \in Requests({"rwRequest"}) :
    /\ \A b \in DOMAIN branches : ~Has(branches[b], tx)
    /\ branches' = [branches EXCEPT ![v] = Append(@, tx)]
    /\ UNCHANGED history

Answer(type, v, tx, n) ==
    Happens([type |-> type, tx |-> tx, observed |-> Prefix(branches[v], n), view |-> v, seqno |-> n])

RwResponse(v) == \E n \in DOMAIN branches[v] :
    /\ branches[v][n] \in Requests({"rwRequest"}) \ Requests({"rwResponse"})
    \* It is answered where it was executed, and not where a later view has taken it over.
    /\ \A b \in 1..(v - 1) : ~Has(branches[b], branches[v][n])
    /\ Answer("rwResponse", v, branches[v][n], n)
    /\ UNCHANGED branches

\* Somebody who only reads sees the whole log, if there is something in it.
RoResponse(v) == \E tx \in Requests({"roRequest"}) \ Requests({"roResponse"}) :
    /\ branches[v] # <<>>
    /\ Answer("roResponse", v, tx, Len(branches[v]))
    /\ UNCHANGED branches

Told(n, status) ==
    /\ \A k \in Events({"status"}) : history[k].view # history[n].view \/ history[k].seqno # history[n].seqno
    /\ Happens([type |-> "status", view |-> history[n].view, seqno |-> history[n].seqno, status |-> status])
    /\ UNCHANGED branches

LogOf(n) == Prefix(branches[history[n].view], history[n].seqno)

StatusCommitted == \E n \in Events({"rwResponse", "roResponse"}) : IsPrefix(LogOf(n), Last) /\ Told(n, "committed")

\* It was in a log that no later view can have any more.
StatusInvalid == \E n \in Events({"rwResponse", "roResponse"}) :
    /\ ~IsPrefix(LogOf(n), Committed) /\ ~IsPrefix(Committed, LogOf(n))
    /\ Told(n, "invalid")

\* A new leader has a part of some log, with all that is committed in it.
NewView == \E v \in DOMAIN branches : \E n \in Len(Committed)..Len(branches[v]) :
    /\ Len(branches) < ViewLimit
    /\ IsPrefix(Committed, Prefix(branches[v], n))
    /\ branches' = Append(branches, Prefix(branches[v], n))
    /\ UNCHANGED history

Next == \/ RwRequest \/ RoRequest \/ StatusCommitted \/ StatusInvalid \/ NewView
        \/ \E v \in DOMAIN branches : Execute(v) \/ RwResponse(v) \/ RoResponse(v)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What clients may rely on.                                                 *)

HasStatus(n, status) ==
    \E k \in Statuses(status) : history[k].view = history[n].view /\ history[k].seqno = history[n].seqno
CommittedResponses(types) == {n \in Events(types) : HasStatus(n, "committed")}
RequestOf(n) == CHOOSE k \in Events({"rwRequest", "roRequest"}) : history[k].tx = history[n].tx

ResponsesWereRequested ==
    \A n \in Events({"rwResponse", "roResponse"}) :
        \E k \in 1..(n - 1) : history[k].type \in {"rwRequest", "roRequest"} /\ history[k].tx = history[n].tx

OneResponse ==
    \A n, k \in Events({"rwResponse", "roResponse"}) : history[n].tx = history[k].tx => n = k

\* Different transactions that write have different ids, and what is committed different places.
UniqueIds ==
    \A n, k \in Events({"rwResponse"}) :
        history[n].view = history[k].view /\ history[n].seqno = history[k].seqno => n = k
UniqueSeqnos ==
    \A n, k \in CommittedResponses({"rwResponse"}) : history[n].seqno = history[k].seqno => n = k

SameObservations ==
    \A n, k \in Events({"rwResponse", "roResponse"}) :
        history[n].view = history[k].view /\ history[n].seqno = history[k].seqno =>
            history[n].observed = history[k].observed

CommittedOrInvalid ==
    \A n \in Events({"rwResponse", "roResponse"}) : ~(HasStatus(n, "committed") /\ HasStatus(n, "invalid"))

\* What comes before something committed in one view is committed, if anything is known of it.
PreviousCommitted ==
    \A n \in Statuses("committed"), k \in Events({"status"}) :
        history[k].view = history[n].view /\ history[k].seqno <= history[n].seqno => history[k].status = "committed"

\* All that is committed fits into one order.
Serializable ==
    \A n, k \in CommittedResponses({"rwResponse", "roResponse"}) :
        IsPrefix(history[n].observed, history[k].observed) \/ IsPrefix(history[k].observed, history[n].observed)

InvalidNotObserved ==
    \A n \in CommittedResponses({"rwResponse", "roResponse"}), k \in {r \in Events({"rwResponse"}) : HasStatus(r, "invalid")} :
        ~Has(history[n].observed, history[k].tx)

AtMostOnce ==
    \A n \in Events({"rwResponse", "roResponse"}) :
        \A a, b \in DOMAIN history[n].observed : history[n].observed[a] = history[n].observed[b] => a = b

\* What was answered before another transaction was asked for is observed by it, if both are committed.
ObservedBy(types) ==
    \A n \in CommittedResponses({"rwResponse"}), k \in CommittedResponses(types) :
        n < RequestOf(k) => Has(history[k].observed, history[n].tx)

ObservedByRw == ObservedBy({"rwResponse"})
\* This does not hold.
ObservedByRo == ObservedBy({"roResponse"})
=============================================================================
