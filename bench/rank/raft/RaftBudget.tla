------------------------------ MODULE RaftBudget ------------------------------
(* Elections and log replication in the manner of Raft, with budgets for what  *)
(* makes it large, and with one of several mistakes built in (Bug). A leader   *)
(* sends its whole log, which keeps the specification short.                   *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Server, None, Bug, MaxTimeouts, MaxRequests, MaxCrashes

VARIABLES
    term, role, voted, votes,
    log,      \* terms of the entries, in order
    commit,   \* how many entries a server knows to be committed
    match,    \* match[i][j]: how many entries leader i knows to be at j
    net,      \* net[i][j]: the message under way from i to j, if there is one
    used      \* what was spent of the budgets

vars == <<term, role, voted, votes, log, commit, match, net, used>>

Majority == {Q \in SUBSET Server : 2 * Cardinality(Q) > Cardinality(Server)}
LastTerm(l) == IF l = <<>> THEN 0 ELSE l[Len(l)].term
IsPrefix(s, t) == Len(s) <= Len(t) /\ SubSeq(t, 1, Len(s)) = s
Least(a, b) == IF a < b THEN a ELSE b

Init ==
    /\ term = [i \in Server |-> 0]
    /\ role = [i \in Server |-> "follower"]
    /\ voted = [i \in Server |-> None]
    /\ votes = [i \in Server |-> {}]
    /\ log = [i \in Server |-> <<>>]
    /\ commit = [i \in Server |-> 0]
    /\ match = [i \in Server |-> [j \in Server |-> 0]]
    /\ net = [i \in Server |-> [j \in Server |-> None]]
    /\ used = [timeouts |-> 0, requests |-> 0, crashes |-> 0]

Timeout(i) ==
    /\ role[i] # "leader"
    /\ used.timeouts < MaxTimeouts
    /\ used' = [used EXCEPT !.timeouts = @ + 1]
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ role' = [role EXCEPT ![i] = "candidate"]
    /\ voted' = [voted EXCEPT ![i] = i]
    /\ votes' = [votes EXCEPT ![i] = {i}]
    /\ UNCHANGED <<log, commit, match, net>>

AskVote(i, j) ==
    /\ role[i] = "candidate" /\ i # j /\ j \notin votes[i]
    /\ net[i][j] = None
    /\ net' = [net EXCEPT ![i][j] = [type |-> "ask", term |-> term[i],
                                     lastTerm |-> LastTerm(log[i]), len |-> Len(log[i])]]
    /\ UNCHANGED <<term, role, voted, votes, log, commit, match, used>>

BecomeLeader(i) ==
    /\ role[i] = "candidate" /\ votes[i] \in Majority
    /\ role' = [role EXCEPT ![i] = "leader"]
    /\ match' = [match EXCEPT ![i] = [j \in Server |-> 0]]
    /\ UNCHANGED <<term, voted, votes, log, commit, net, used>>

Request(i) ==
    /\ role[i] = "leader"
    /\ used.requests < MaxRequests
    /\ used' = [used EXCEPT !.requests = @ + 1]
    /\ log' = [log EXCEPT ![i] = Append(@, [term |-> term[i]])]
    /\ UNCHANGED <<term, role, voted, votes, commit, match, net>>

Send(i, j) ==
    /\ role[i] = "leader" /\ i # j
    /\ match[i][j] < Len(log[i]) \/ commit[j] < commit[i]
    /\ net[i][j] = None
    /\ net' = [net EXCEPT ![i][j] = [type |-> "append", term |-> term[i], log |-> log[i], commit |-> commit[i]]]
    /\ UNCHANGED <<term, role, voted, votes, log, commit, match, used>>

Advance(i) ==
    /\ role[i] = "leader"
    /\ \E n \in (commit[i] + 1)..Len(log[i]) :
        /\ log[i][n].term = term[i]
        /\ {i} \cup {j \in Server : match[i][j] >= n} \in Majority
        /\ commit' = [commit EXCEPT ![i] = n]
    /\ UNCHANGED <<term, role, voted, votes, log, match, net, used>>

StepDown(i, j) ==
    /\ net[j][i] # None
    /\ net[j][i].term > term[i]
    /\ term' = [term EXCEPT ![i] = net[j][i].term]
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ voted' = [voted EXCEPT ![i] = None]
    /\ votes' = [votes EXCEPT ![i] = {}]
    /\ UNCHANGED <<log, commit, match, net, used>>

HandleAsk(i, j, m) ==
    LET isLatest == \/ m.lastTerm > LastTerm(log[i])
                    \/ m.lastTerm = LastTerm(log[i]) /\ m.len >= Len(log[i])
        grants == /\ m.term = term[i]
                  /\ Bug = "blind" \/ isLatest
                  /\ voted[i] \in {None, j}
    IN  /\ m.type = "ask"
        /\ voted' = IF grants THEN [voted EXCEPT ![i] = j] ELSE voted
        /\ net' = IF grants
                  THEN [net EXCEPT ![j][i] = None, ![i][j] = [type |-> "vote", term |-> term[i]]]
                  ELSE [net EXCEPT ![j][i] = None]
        /\ UNCHANGED <<term, role, votes, log, commit, match>>

HandleVote(i, j, m) ==
    /\ m.type = "vote"
    /\ votes' = IF m.term = term[i] /\ role[i] = "candidate" THEN [votes EXCEPT ![i] = @ \cup {j}] ELSE votes
    /\ net' = [net EXCEPT ![j][i] = None]
    /\ UNCHANGED <<term, role, voted, log, commit, match>>

HandleAppend(i, j, m) ==
    LET accepts == m.term = term[i] \/ Bug = "stale"
    IN  /\ m.type = "append"
        /\ role' = IF m.term = term[i] THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ log' = IF ~accepts THEN log
                  ELSE IF IsPrefix(m.log, log[i]) THEN log ELSE [log EXCEPT ![i] = m.log]
        /\ commit' = IF accepts /\ m.commit > commit[i]
                     THEN [commit EXCEPT ![i] = Least(m.commit, Len(m.log))] ELSE commit
        /\ net' = IF accepts
                  THEN [net EXCEPT ![j][i] = None, ![i][j] = [type |-> "reply", term |-> term[i], len |-> Len(m.log)]]
                  ELSE [net EXCEPT ![j][i] = None]
        /\ UNCHANGED <<term, voted, votes, match>>

HandleReply(i, j, m) ==
    /\ m.type = "reply"
    /\ match' = IF m.term = term[i] /\ role[i] = "leader" /\ m.len > match[i][j]
                THEN [match EXCEPT ![i][j] = m.len] ELSE match
    /\ net' = [net EXCEPT ![j][i] = None]
    /\ UNCHANGED <<term, role, voted, votes, log, commit>>

\* An answer takes the place of a message that is under way to the same server.
Receive(i, j) ==
    /\ net[j][i] # None
    /\ net[j][i].term <= term[i]
    /\ LET m == net[j][i]
       IN  HandleAsk(i, j, m) \/ HandleVote(i, j, m) \/ HandleAppend(i, j, m) \/ HandleReply(i, j, m)
    /\ UNCHANGED used

\* What is not on disk is lost; the vote is on disk, unless that is the mistake.
Crash(i) ==
    /\ used.crashes < MaxCrashes
    /\ used' = [used EXCEPT !.crashes = @ + 1]
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ votes' = [votes EXCEPT ![i] = {}]
    /\ commit' = [commit EXCEPT ![i] = 0]
    /\ voted' = IF Bug = "forgetful" THEN [voted EXCEPT ![i] = None] ELSE voted
    /\ UNCHANGED <<term, log, match, net>>

Next ==
    \/ \E i \in Server : Timeout(i) \/ BecomeLeader(i) \/ Request(i) \/ Advance(i) \/ Crash(i)
    \/ \E i, j \in Server : AskVote(i, j) \/ Send(i, j) \/ StepDown(i, j) \/ Receive(i, j)

Spec == Init /\ [][Next]_vars

OneLeaderPerTerm ==
    \A i, j \in Server : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j
CommittedAgree ==
    \A i, j \in Server : \A n \in 1..Least(commit[i], commit[j]) :
        n <= Len(log[i]) /\ n <= Len(log[j]) /\ log[i][n] = log[j][n]
=============================================================================
