----------------------------- MODULE PrimaryBackup --------------------------
(* A primary copies every write to a backup before it answers. When the      *)
(* primary stops, the backup takes over in a new view; an old primary cannot *)
(* answer any more because the backup refuses writes of an old view.         *)
EXTENDS Naturals, Sequences

CONSTANTS MaxWrites, MaxView

VARIABLES
    view,      \* the current view, even: A leads, odd: B leads
    logs,      \* the writes of A and of B
    seen,      \* the view that each server knows
    inFlight,  \* copies under way: view and write
    answered   \* the writes that clients were told of

vars == <<view, logs, seen, inFlight, answered>>

Server == {"A", "B"}
Primary(v) == IF v % 2 = 0 THEN "A" ELSE "B"
Other(s) == IF s = "A" THEN "B" ELSE "A"

Init ==
    /\ view = 0
    /\ logs = [s \in Server |-> <<>>]
    /\ seen = [s \in Server |-> 0]
    /\ inFlight = <<>>
    /\ answered = <<>>

Write(s) ==
    /\ Primary(seen[s]) = s
    /\ inFlight = <<>>
    /\ Len(logs[s]) = Len(answered) \/ s # Primary(view)
    /\ Len(logs[s]) < MaxWrites
    /\ LET w == [n |-> Len(logs[s]) + 1, by |-> s, view |-> seen[s]]
       IN  /\ logs' = [logs EXCEPT ![s] = Append(@, w)]
           /\ inFlight' = <<w>>
    /\ UNCHANGED <<view, seen, answered>>

Copy ==
    /\ inFlight # <<>>
    /\ LET w == Head(inFlight)
           b == Other(w.by)
       IN  IF w.view = seen[b] /\ Len(logs[b]) + 1 = w.n
           THEN logs' = [logs EXCEPT ![b] = Append(@, w)] /\ answered' = Append(answered, w)
           ELSE UNCHANGED <<logs, answered>>
    /\ inFlight' = <<>>
    /\ UNCHANGED <<view, seen>>

\* The backup becomes primary; the old primary will bring its log into line when it hears of it.
TakeOver ==
    /\ view < MaxView
    /\ view' = view + 1
    /\ seen' = [seen EXCEPT ![Primary(view + 1)] = view + 1]
    /\ UNCHANGED <<logs, inFlight, answered>>
Learn(s) ==
    /\ seen[s] < view
    /\ seen' = [seen EXCEPT ![s] = view]
    /\ logs' = [logs EXCEPT ![s] = logs[Primary(view)]]
    /\ UNCHANGED <<view, inFlight, answered>>

Next == Copy \/ TakeOver \/ \E s \in Server : Write(s) \/ Learn(s)
Spec == Init /\ [][Next]_vars

IsPrefix(s, t) == Len(s) <= Len(t) /\ \A i \in 1..Len(s) : s[i] = t[i]
AnsweredIsKept == IsPrefix(answered, logs[Primary(view)])
=============================================================================
