----------------------------- MODULE SecondVote -----------------------------
(* A mutant of ../protocols/RaftLog.tla. A server votes only if it has voted *)
(* for another one: `\in` became `\notin`.                                   *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Server, Value, MaxTerm, MaxLog, MaxQueue, None

VARIABLES
    term,        \* the current term of each server
    role,        \* "follower", "candidate" or "leader"
    votedFor,    \* whom each server voted for in its term
    log,         \* a sequence of entries [term, value]
    commit,      \* how much of the log is known to be safe
    votes,       \* who voted for a candidate
    nextIndex,   \* nextIndex[i][j]: what leader i sends to j next
    matchIndex,  \* matchIndex[i][j]: how far j agrees with leader i
    net          \* net[i][j]: the queue from i to j

vars == <<term, role, votedFor, log, commit, votes, nextIndex, matchIndex, net>>
leaderVars == <<nextIndex, matchIndex>>

Majority == {Q \in SUBSET Server : 2 * Cardinality(Q) > Cardinality(Server)}
LastTerm(l) == IF l = <<>> THEN 0 ELSE l[Len(l)].term
Least(S) == CHOOSE n \in S : \A m \in S : n <= m

Init ==
    /\ term = [i \in Server |-> 0]
    /\ role = [i \in Server |-> "follower"]
    /\ votedFor = [i \in Server |-> None]
    /\ log = [i \in Server |-> <<>>]
    /\ commit = [i \in Server |-> 0]
    /\ votes = [i \in Server |-> {}]
    /\ nextIndex = [i \in Server |-> [j \in Server |-> 1]]
    /\ matchIndex = [i \in Server |-> [j \in Server |-> 0]]
    /\ net = [i \in Server |-> [j \in Server |-> <<>>]]

Room(i, j) == Len(net[i][j]) < MaxQueue
Put(n, i, j, m) == [n EXCEPT ![i][j] = Append(@, m)]
Take(n, i, j) == [n EXCEPT ![i][j] = Tail(@)]

Timeout(i) ==
    /\ role[i] \in {"follower", "candidate"}
    /\ term[i] < MaxTerm
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ role' = [role EXCEPT ![i] = "candidate"]
    /\ votedFor' = [votedFor EXCEPT ![i] = i]
    /\ votes' = [votes EXCEPT ![i] = {i}]
    /\ UNCHANGED <<log, commit, leaderVars, net>>

AskVote(i, j) ==
    /\ role[i] = "candidate"
    /\ j \notin votes[i]
    /\ Room(i, j)
    /\ net' = Put(net, i, j, [type |-> "ask", term |-> term[i], lastTerm |-> LastTerm(log[i]), lastIndex |-> Len(log[i])])
    /\ UNCHANGED <<term, role, votedFor, log, commit, votes, leaderVars>>

BecomeLeader(i) ==
    /\ role[i] = "candidate"
    /\ votes[i] \in Majority
    /\ role' = [role EXCEPT ![i] = "leader"]
    /\ nextIndex' = [nextIndex EXCEPT ![i] = [j \in Server |-> Len(log[i]) + 1]]
    /\ matchIndex' = [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]
    /\ UNCHANGED <<term, votedFor, log, commit, votes, net>>

ClientRequest(i, v) ==
    /\ role[i] = "leader"
    /\ Len(log[i]) < MaxLog
    /\ log' = [log EXCEPT ![i] = Append(@, [term |-> term[i], value |-> v])]
    /\ UNCHANGED <<term, role, votedFor, commit, votes, leaderVars, net>>

\* One entry at a time, or none.
SendEntries(i, j) ==
    /\ role[i] = "leader"
    /\ i # j
    /\ Room(i, j)
    /\ LET prev == nextIndex[i][j] - 1
           last == Least({Len(log[i]), prev + 1})
       IN  net' = Put(net, i, j,
                      [type |-> "append", term |-> term[i], prevIndex |-> prev,
                       prevTerm |-> IF prev = 0 THEN 0 ELSE log[i][prev].term,
                       entries |-> SubSeq(log[i], prev + 1, last),
                       commit |-> Least({commit[i], last})])
    /\ UNCHANGED <<term, role, votedFor, log, commit, votes, leaderVars>>

AdvanceCommit(i) ==
    /\ role[i] = "leader"
    /\ \E n \in (commit[i] + 1)..Len(log[i]) :
        /\ log[i][n].term = term[i]
        /\ {i} \cup {j \in Server : matchIndex[i][j] >= n} \in Majority
        /\ commit' = [commit EXCEPT ![i] = n]
    /\ UNCHANGED <<term, role, votedFor, log, votes, leaderVars, net>>

\* A message of a later term: step down first, the message stays.
StepDown(i, j) ==
    /\ net[j][i] # <<>>
    /\ Head(net[j][i]).term > term[i]
    /\ term' = [term EXCEPT ![i] = Head(net[j][i]).term]
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ votedFor' = [votedFor EXCEPT ![i] = None]
    /\ UNCHANGED <<log, commit, votes, leaderVars, net>>

HandleAsk(i, j, m) ==
    LET upToDate == \/ m.lastTerm > LastTerm(log[i])
                    \/ m.lastTerm = LastTerm(log[i]) /\ m.lastIndex >= Len(log[i])
        grant == m.term = term[i] /\ upToDate /\ votedFor[i] \notin {None, j}
    IN  /\ m.type = "ask"
        /\ Room(i, j)
        /\ votedFor' = IF grant THEN [votedFor EXCEPT ![i] = j] ELSE votedFor
        /\ net' = Put(Take(net, j, i), i, j, [type |-> "vote", term |-> term[i], granted |-> grant])
        /\ UNCHANGED <<term, role, log, commit, votes, leaderVars>>

HandleVote(i, j, m) ==
    /\ m.type = "vote"
    /\ votes' = IF m.granted /\ m.term = term[i] /\ role[i] = "candidate"
                THEN [votes EXCEPT ![i] = @ \cup {j}] ELSE votes
    /\ net' = Take(net, j, i)
    /\ UNCHANGED <<term, role, votedFor, log, commit, leaderVars>>

HandleAppend(i, j, m) ==
    LET fits == m.prevIndex = 0
                \/ (m.prevIndex <= Len(log[i]) /\ log[i][m.prevIndex].term = m.prevTerm)
        ok == m.term = term[i] /\ fits
        known == m.prevIndex + Len(m.entries)
        conflict == /\ m.entries # <<>>
                    /\ Len(log[i]) >= known
                    /\ log[i][known].term # m.entries[1].term
        newLog == IF m.entries = <<>> \/ (Len(log[i]) >= known /\ ~conflict)
                  THEN log[i]
                  ELSE SubSeq(log[i], 1, m.prevIndex) \o m.entries
    IN  /\ m.type = "append"
        /\ Room(i, j)
        /\ role' = IF m.term = term[i] THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ log' = IF ok THEN [log EXCEPT ![i] = newLog] ELSE log
        /\ commit' = IF ok /\ m.commit > commit[i] THEN [commit EXCEPT ![i] = m.commit] ELSE commit
        /\ net' = Put(Take(net, j, i), i, j,
                      [type |-> "reply", term |-> term[i], ok |-> ok, match |-> IF ok THEN known ELSE 0])
        /\ UNCHANGED <<term, votedFor, votes, leaderVars>>

HandleReply(i, j, m) ==
    /\ m.type = "reply"
    /\ IF m.term = term[i] /\ role[i] = "leader"
       THEN IF m.ok
            THEN /\ nextIndex' = [nextIndex EXCEPT ![i][j] = m.match + 1]
                 /\ matchIndex' = [matchIndex EXCEPT ![i][j] = m.match]
            ELSE /\ nextIndex' = [nextIndex EXCEPT ![i][j] = IF @ > 1 THEN @ - 1 ELSE 1]
                 /\ UNCHANGED matchIndex
       ELSE UNCHANGED leaderVars
    /\ net' = Take(net, j, i)
    /\ UNCHANGED <<term, role, votedFor, log, commit, votes>>

Receive(i, j) ==
    /\ net[j][i] # <<>>
    /\ LET m == Head(net[j][i])
       IN  /\ m.term <= term[i]
           /\ HandleAsk(i, j, m) \/ HandleVote(i, j, m) \/ HandleAppend(i, j, m) \/ HandleReply(i, j, m)

Lose(i, j) ==
    /\ net[i][j] # <<>>
    /\ net' = Take(net, i, j)
    /\ UNCHANGED <<term, role, votedFor, log, commit, votes, leaderVars>>

Next ==
    \/ \E i \in Server : Timeout(i) \/ BecomeLeader(i) \/ AdvanceCommit(i) \/ \E v \in Value : ClientRequest(i, v)
    \/ \E i, j \in Server : AskVote(i, j) \/ SendEntries(i, j) \/ StepDown(i, j) \/ Receive(i, j) \/ Lose(i, j)

Spec == Init /\ [][Next]_vars

OneLeaderPerTerm ==
    \A i, j \in Server : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j
LogsMatch ==
    \A i, j \in Server : \A n \in 1..Least({Len(log[i]), Len(log[j])}) :
        log[i][n].term = log[j][n].term => SubSeq(log[i], 1, n) = SubSeq(log[j], 1, n)
CommittedAgree ==
    \A i, j \in Server : \A n \in 1..Least({commit[i], commit[j]}) : log[i][n] = log[j][n]
CommitInLog == \A i \in Server : commit[i] <= Len(log[i])
=============================================================================
