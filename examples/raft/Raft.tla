-------------------------------- MODULE Raft --------------------------------
(* The protocol of `raft-node`: elections and the replication of a log over  *)
(* one connection for each ordered pair of servers. A connection keeps the   *)
(* order of its messages and may lose any of them: who takes a message never *)
(* sees those before it. A server may crash and start again at any time with *)
(* its term, vote and log.                                                   *)
(*                                                                           *)
(* Each action is one event of the program's log, see README.md. `Bug` turns *)
(* on one of the program's mistakes; "none" is the protocol as it should be. *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
    Server, Value,
    None,        \* nobody
    Bug,         \* "none", or the name of a mistake
    MaxTerm, MaxLog, MaxQueue, MaxBatch,
    Standing,    \* the servers that stand for election
    Crashing     \* the servers that crash

VARIABLES
    term,        \* the current term of each server; durable
    votedFor,    \* whom each server voted for in its term; durable
    log,         \* a sequence of entries [term, value]; durable
    role,        \* "follower", "candidate" or "leader"
    commit,      \* how much of the log is known to be safe
    votes,       \* who voted for a candidate
    nextIndex,   \* nextIndex[i][j]: what leader i sends to j next
    matchIndex,  \* matchIndex[i][j]: how far j agrees with leader i
    net          \* net[i][j]: what is under way from i to j

durableVars == <<term, votedFor, log>>
leaderVars == <<nextIndex, matchIndex>>
vars == <<durableVars, role, commit, votes, leaderVars, net>>

Bugs == {"none", "commit-on-nack", "commit-old-term", "truncate-early", "inaccurate-ack", "wrong-quorum",
         "vote-early", "vote-twice", "forget-vote", "commit-beyond"}
ASSUME Bug \in Bugs /\ Standing \subseteq Server /\ Crashing \subseteq Server

IsMajority(Q) == 2 * Cardinality(Q) > Cardinality(Server)
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a < b THEN b ELSE a
TermAt(l, n) == IF n = 0 THEN 0 ELSE l[n].term
LastTerm(l) == TermAt(l, Len(l))
Range(s) == {s[n] : n \in DOMAIN s}
Last(s) == s[Len(s)]

-----------------------------------------------------------------------------
\* A full connection loses what is sent.
Put(n, i, j, m) == IF Len(n[i][j]) < MaxQueue THEN [n EXCEPT ![i][j] = Append(@, m)] ELSE n

\* m and everything before it is gone.
Take(n, i, j, m) ==
    LET queue == n[i][j]
        first == CHOOSE k \in DOMAIN queue : queue[k] = m /\ \A l \in 1..(k - 1) : queue[l] # m
    IN  [n EXCEPT ![i][j] = SubSeq(queue, first + 1, Len(queue))]

Answer(i, j, m, reply) == net' = Put(Take(net, j, i, m), i, j, reply)

-----------------------------------------------------------------------------
Init ==
    /\ term = [i \in Server |-> 0]
    /\ votedFor = [i \in Server |-> None]
    /\ log = [i \in Server |-> <<>>]
    /\ role = [i \in Server |-> "follower"]
    /\ commit = [i \in Server |-> 0]
    /\ votes = [i \in Server |-> {}]
    /\ nextIndex = [i \in Server |-> [j \in Server |-> 1]]
    /\ matchIndex = [i \in Server |-> [j \in Server |-> 0]]
    /\ net = [i \in Server |-> [j \in Server |-> <<>>]]

\* A crash, and the start after it. Nothing changes where a server starts for the first time.
Start(i) ==
    /\ i \in Crashing
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ commit' = [commit EXCEPT ![i] = 0]
    /\ votes' = [votes EXCEPT ![i] = {}]
    /\ nextIndex' = [nextIndex EXCEPT ![i] = [j \in Server |-> 1]]
    /\ matchIndex' = [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]
    /\ term' = IF Bug = "forget-vote" THEN [term EXCEPT ![i] = 0] ELSE term
    /\ votedFor' = IF Bug = "forget-vote" THEN [votedFor EXCEPT ![i] = None] ELSE votedFor
    /\ UNCHANGED <<log, net>>

Timeout(i) ==
    LET ask == [type |-> "ask", term |-> term[i] + 1, lastTerm |-> LastTerm(log[i]), lastIndex |-> Len(log[i])]
    IN  /\ i \in Standing
        /\ role[i] \in {"follower", "candidate"}
        /\ term[i] < MaxTerm
        /\ term' = [term EXCEPT ![i] = @ + 1]
        /\ votedFor' = [votedFor EXCEPT ![i] = i]
        /\ role' = [role EXCEPT ![i] = "candidate"]
        /\ votes' = [votes EXCEPT ![i] = {i}]
        /\ net' = [net EXCEPT ![i] = [j \in Server |-> IF i = j THEN @[j] ELSE Put(net, i, j, ask)[i][j]]]
        /\ UNCHANGED <<log, commit, leaderVars>>

\* A message of a later term: step down first. The message is handled after that.
StepDown(i, j, m) ==
    /\ m.term > term[i]
    /\ term' = [term EXCEPT ![i] = m.term]
    /\ votedFor' = [votedFor EXCEPT ![i] = None]
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ UNCHANGED <<log, commit, votes, leaderVars, net>>

HandleAsk(i, j, m) ==
    LET upToDate == \/ m.lastTerm > LastTerm(log[i])
                    \/ m.lastTerm = LastTerm(log[i]) /\ m.lastIndex >= Len(log[i])
                    \/ Bug = "vote-early"
        isFree == votedFor[i] \in {None, j} \/ Bug = "vote-twice"
        grant == m.term = term[i] /\ upToDate /\ isFree
    IN  /\ m.type = "ask"
        /\ m.term <= term[i]
        /\ votedFor' = IF grant THEN [votedFor EXCEPT ![i] = j] ELSE votedFor
        /\ Answer(i, j, m, [type |-> "vote", term |-> term[i], granted |-> grant])
        /\ UNCHANGED <<term, log, role, commit, votes, leaderVars>>

HandleVote(i, j, m) ==
    LET counts == /\ m.term = term[i]
                  /\ role[i] = "candidate"
                  /\ m.granted \/ Bug = "wrong-quorum"
    IN  /\ m.type = "vote"
        /\ m.term <= term[i]
        /\ votes' = IF counts THEN [votes EXCEPT ![i] = @ \cup {j}] ELSE votes
        /\ net' = Take(net, j, i, m)
        /\ UNCHANGED <<durableVars, role, commit, leaderVars>>

BecomeLeader(i) ==
    /\ role[i] = "candidate"
    /\ IsMajority(votes[i])
    /\ role' = [role EXCEPT ![i] = "leader"]
    /\ nextIndex' = [nextIndex EXCEPT ![i] = [j \in Server |-> Len(log[i]) + 1]]
    /\ matchIndex' = [matchIndex EXCEPT ![i] = [j \in Server |-> 0]]
    /\ UNCHANGED <<durableVars, commit, votes, net>>

ClientRequest(i, v) ==
    /\ role[i] = "leader"
    /\ Len(log[i]) < MaxLog
    /\ log' = [log EXCEPT ![i] = Append(@, [term |-> term[i], value |-> v])]
    /\ UNCHANGED <<term, votedFor, role, commit, votes, leaderVars, net>>

\* The next n entries, or a sign of life alone.
SendAppend(i, j, n) ==
    LET prev == nextIndex[i][j] - 1
    IN  /\ role[i] = "leader"
        /\ i # j
        /\ n <= MaxBatch
        /\ prev + n <= Len(log[i])
        /\ net' = Put(net, i, j,
                      [type |-> "append", term |-> term[i], prevIndex |-> prev, prevTerm |-> TermAt(log[i], prev),
                       entries |-> SubSeq(log[i], prev + 1, prev + n), commit |-> commit[i]])
        /\ UNCHANGED <<durableVars, role, commit, votes, leaderVars>>

HandleAppend(i, j, m) ==
    LET fits == m.prevIndex = 0 \/ (m.prevIndex <= Len(log[i]) /\ log[i][m.prevIndex].term = m.prevTerm)
        ok == m.term = term[i] /\ fits
        end == m.prevIndex + Len(m.entries)
        agrees == /\ end <= Len(log[i])
                  /\ \A n \in DOMAIN m.entries : log[i][m.prevIndex + n].term = m.entries[n].term
        newLog == IF agrees /\ Bug # "truncate-early" THEN log[i]
                  ELSE SubSeq(log[i], 1, m.prevIndex) \o m.entries
        safe == IF Bug = "commit-beyond" THEN Len(newLog) ELSE end
        known == IF Bug = "inaccurate-ack" THEN Len(newLog) ELSE end
    IN  /\ m.type = "append"
        /\ m.term <= term[i]
        /\ role' = IF m.term = term[i] THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ log' = IF ok THEN [log EXCEPT ![i] = newLog] ELSE log
        /\ commit' = IF ok THEN [commit EXCEPT ![i] = Max(@, Min(m.commit, safe))] ELSE commit
        /\ Answer(i, j, m, [type |-> "reply", term |-> term[i], ok |-> ok,
                            match |-> IF ok THEN known ELSE Len(log[i])])
        /\ UNCHANGED <<term, votedFor, votes, leaderVars>>

HandleReply(i, j, m) ==
    LET counts == m.term = term[i] /\ role[i] = "leader"
        isAck == m.ok \/ Bug = "commit-on-nack"
        match == Max(matchIndex[i][j], Min(m.match, Len(log[i])))
        back == Max(matchIndex[i][j] + 1, Min(nextIndex[i][j] - 1, m.match + 1))
    IN  /\ m.type = "reply"
        /\ m.term <= term[i]
        /\ matchIndex' = IF counts /\ isAck THEN [matchIndex EXCEPT ![i][j] = match] ELSE matchIndex
        /\ nextIndex' = IF counts THEN [nextIndex EXCEPT ![i][j] = IF isAck THEN match + 1 ELSE back]
                        ELSE nextIndex
        /\ net' = Take(net, j, i, m)
        /\ UNCHANGED <<durableVars, role, commit, votes>>

AdvanceCommit(i, n) ==
    /\ role[i] = "leader"
    /\ commit[i] < n
    /\ log[i][n].term = term[i] \/ Bug = "commit-old-term"
    /\ IsMajority({i} \cup {j \in Server : matchIndex[i][j] >= n})
    /\ commit' = [commit EXCEPT ![i] = n]
    /\ UNCHANGED <<durableVars, role, votes, leaderVars, net>>

Receive(i, j, m) ==
    \/ StepDown(i, j, m)
    \/ HandleAsk(i, j, m)
    \/ HandleVote(i, j, m)
    \/ HandleAppend(i, j, m)
    \/ HandleReply(i, j, m)

Next ==
    \E i \in Server :
        \/ Start(i)
        \/ Timeout(i)
        \/ BecomeLeader(i)
        \/ \E v \in Value : ClientRequest(i, v)
        \/ \E n \in DOMAIN log[i] : AdvanceCommit(i, n)
        \/ \E j \in Server, n \in 0..MaxBatch : SendAppend(i, j, n)
        \/ \E j \in Server : \E m \in Range(net[j][i]) : Receive(i, j, m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
OneLeaderPerTerm ==
    \A i, j \in Server : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j

LogsMatch ==
    \A i, j \in Server : \A n \in 1..Min(Len(log[i]), Len(log[j])) :
        log[i][n].term = log[j][n].term => SubSeq(log[i], 1, n) = SubSeq(log[j], 1, n)

CommitInLog == \A i \in Server : commit[i] <= Len(log[i])

\* What one server takes for safe, no majority has lost.
CommittedIsKept ==
    \A i \in Server : \A n \in 1..Min(commit[i], Len(log[i])) :
        IsMajority({j \in Server : Len(log[j]) >= n /\ log[j][n] = log[i][n]})

CommittedAgree ==
    \A i, j \in Server : \A n \in 1..Min(Min(commit[i], Len(log[i])), Min(commit[j], Len(log[j]))) :
        log[i][n] = log[j][n]

LeaderHasCommitted ==
    \A i, j \in Server :
        role[i] = "leader" /\ term[j] <= term[i]
        => \A n \in 1..Min(commit[j], Len(log[j])) : n <= Len(log[i]) /\ log[i][n] = log[j][n]

TermsGrow == [][\A i \in Server : term[i] <= term'[i]]_vars
OneVotePerTerm ==
    [][\A i \in Server : term[i] = term'[i] /\ votedFor[i] # None => votedFor'[i] = votedFor[i]]_vars
=============================================================================
