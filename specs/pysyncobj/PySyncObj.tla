------------------------------ MODULE PySyncObj ------------------------------
(* What PySyncObj does: its Raft with mistakes, as of 0.3.11, and `Repairs`  *)
(* that undo them one by one as later releases did.                          *)
(*                                                                           *)
(* Each action is one thing that can be done to real processes: a message is *)
(* delivered, a clock goes on, a client asks, a connection breaks, a process *)
(* dies. After it the node has handled what came, has gone through its tick  *)
(* as often as that changes something, and sleeps. README.md has more.       *)
EXTENDS Naturals, Sequences, FiniteSets, TLC, TcpNetwork

CONSTANTS
    Value,         \* what clients ask for
    Nobody,
    Repairs,       \* which mistakes are repaired, see below
    Requests,      \* "kept": a request waits for the next heartbeat; "sent": that comes at once
    BatchBytes,    \* appendEntriesBatchSizeBytes
    CommandBytes,  \* the size of a client's command; the entry of a new leader has one byte
    IsDurable,     \* whether there are journals, so that nodes may crash
    MaxElections, MaxRequests, MaxHeartbeats, MaxCuts, MaxLinkCuts, MaxCrashes, MaxPowerFailures, MaxUnderWay

(* "commit": a follower's commit index never goes back           0.3.12      *)
(* "next":   a success moves the next index as well              0.3.12      *)
(* "match":  the match index never goes back                     0.3.12      *)
(* "ack":    a success is for the entry after the last           0.3.12      *)
(* "term":   a leader commits what is of its own term            0.3.12      *)
(* "clamp":  the commit index stays within a log that was cut    0.3.16      *)
(* "vote":   term and vote are in the journal                    0.3.16      *)
(* "keep":   a log is cut where it differs from what came        in no       *)
(* "reply":  a reply has a term, and counts in that term only    release yet *)
(* "sync":   a journal is synced before anybody hears of it                  *)
AllRepairs == {"commit", "next", "match", "ack", "term", "clamp", "vote"}
Since12 == {"commit", "next", "match", "ack", "term"}
Proposed == AllRepairs \cup {"keep", "reply", "sync"}
ASSUME Repairs \subseteq Proposed /\ Requests \subseteq {"kept", "sent"}
\* Larger commands are sent in pieces, which is not described here.
ASSUME 1 < BatchBytes /\ CommandBytes < BatchBytes

VARIABLES
    term,      \* the current term of each node
    votedFor,  \* whom each node voted for in its term
    log,       \* a sequence of entries [term, value]; the first is the same everywhere
    role,      \* "follower", "candidate" or "leader"
    votes,     \* how many votes a candidate has; 0 where there is none
    commit,    \* the last entry of the log that is known to be safe
    next,      \* next[i][j]: what leader i sends to j next; 0 where there is no leader
    match,     \* match[i][j]: how far j agrees with leader i; 0 where there is no leader
    saved,     \* the commit index in the journal of each node
    net,       \* TcpNetwork
    spent      \* how much of each budget

nodeVars == <<term, votedFor, log, role, votes, commit, next, match, saved>>
vars == <<nodeVars, net, spent>>

-----------------------------------------------------------------------------
NoOp == "no-op"
Entry(t, v) == [term |-> t, value |-> v]
LastTerm(l) == l[Len(l)].term
IsMajority(n) == 2 * n > Cardinality(Node)
Min(a, b) == IF a < b THEN a ELSE b
Max(s) == CHOOSE x \in s : \A y \in s : y <= x
Zeros == [j \in Node |-> 0]

\* What a leader takes for safe in its log l, with commit index c and the match indexes ms.
Counted(i, l, t, c, ms) ==
    LET isCounted(n) == /\ IsMajority(1 + Cardinality({j \in Node \ {i} : ms[j] >= n}))
                        /\ "term" \in Repairs => l[n].term = t
    IN  Max({c} \cup {n \in (c + 1)..Len(l) : isCounted(n)})

-----------------------------------------------------------------------------
\* Entries are sent in batches: one more entry as long as those before it have less than BatchBytes.
Bytes(e) == IF e.value = NoOp THEN 1 ELSE CommandBytes

RECURSIVE BatchEnd(_, _, _)
BatchEnd(l, n, bytes) ==
    IF n = Len(l) \/ bytes + Bytes(l[n]) >= BatchBytes THEN n ELSE BatchEnd(l, n + 1, bytes + Bytes(l[n]))

\* An index of 0 for the entry before those that are sent: the leader has no such entry.
AppendEntries(l, t, c, n, end) ==
    LET prev == IF n - 1 <= Len(l) THEN n - 1 ELSE 0
    IN  [type |-> "append_entries", term |-> t, commit |-> c, prevIndex |-> prev,
         prevTerm |-> IF prev = 0 THEN 0 ELSE l[prev].term, entries |-> SubSeq(l, n, end)]

RECURSIVE Batches(_, _, _, _)
Batches(l, t, c, n) ==
    LET end == BatchEnd(l, n, 0)
    IN  IF n > Len(l) THEN <<>> ELSE <<AppendEntries(l, t, c, n, end)>> \o Batches(l, t, c, end + 1)

\* All that is new for a peer whose next entry is n, or a message without entries.
Appends(l, t, c, n) ==
    IF n > Len(l) THEN <<AppendEntries(l, t, c, n, n - 1)>> ELSE Batches(l, t, c, n)

\* The leader i with log l, term t, commit index c and next indexes ns sends to all that are connected. The next index
\* moves when a message is sent.
SendAppends(n, i, l, t, c, ns) ==
    SendEach(n, i, [j \in Node |-> IF j = i THEN <<>> ELSE Appends(l, t, c, ns[j])])
NextAfterSend(n, i, l, ns) ==
    [j \in Node |-> IF AreConnected(n, i, j) /\ ns[j] <= Len(l) THEN Len(l) + 1 ELSE ns[j]]

-----------------------------------------------------------------------------
InitWith(n) ==
    /\ term = Zeros
    /\ votedFor = [i \in Node |-> Nobody]
    /\ log = [i \in Node |-> <<Entry(0, NoOp)>>]
    /\ role = [i \in Node |-> "follower"]
    /\ votes = Zeros
    /\ commit = [i \in Node |-> 1]
    /\ next = [i \in Node |-> Zeros]
    /\ match = [i \in Node |-> Zeros]
    /\ saved = [i \in Node |-> 1]
    /\ net = n
    /\ spent = [elections |-> 0, requests |-> 0, heartbeats |-> 0, cuts |-> 0, linkCuts |-> 0, crashes |-> 0,
                powerFailures |-> 0]

Init == InitWith(Connections)

Spend(what, most) == spent[what] < most /\ spent' = [spent EXCEPT ![what] = @ + 1]

\* Where i is no leader and no candidate, nothing is left of what these know.
Forget(i, isForgotten) ==
    IF isForgotten
    THEN /\ votes' = [votes EXCEPT ![i] = 0]
         /\ next' = [next EXCEPT ![i] = Zeros]
         /\ match' = [match EXCEPT ![i] = Zeros]
    ELSE UNCHANGED <<votes, next, match>>

\* The journal's commit index is written once a second, and with the term where that is kept.
Save(i, isSaved) == saved' = IF IsDurable /\ isSaved THEN [saved EXCEPT ![i] = commit[i]] ELSE saved

-----------------------------------------------------------------------------
\* The clock of i goes on until it stands for election; nobody does that who is connected to no one.
Timeout(i) ==
    /\ Spend("elections", MaxElections)
    /\ IsUp(net, i) /\ role[i] # "leader" /\ Peers(net, i) # {}
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ votedFor' = [votedFor EXCEPT ![i] = i]
    /\ role' = [role EXCEPT ![i] = "candidate"]
    /\ votes' = [votes EXCEPT ![i] = 1]
    /\ net' = Broadcast(net, i, [type |-> "request_vote", term |-> term[i] + 1,
                                 lastIndex |-> Len(log[i]), lastTerm |-> LastTerm(log[i])])
    /\ Save(i, TRUE)
    /\ UNCHANGED <<log, commit, next, match>>

ReceiveRequestVote(i, j) ==
    /\ IsWaiting(net, j, i) /\ First(net, j, i).type = "request_vote"
    /\ LET m == First(net, j, i)
           isNewer == m.term > term[i]
           isUpToDate == \/ m.lastTerm > LastTerm(log[i])
                         \/ m.lastTerm = LastTerm(log[i]) /\ m.lastIndex >= Len(log[i])
           isGranted == isUpToDate /\ (isNewer \/ (m.term = term[i] /\ role[i] # "leader" /\ votedFor[i] = Nobody))
       IN  /\ term' = IF isNewer THEN [term EXCEPT ![i] = m.term] ELSE term
           /\ votedFor' = IF isGranted THEN [votedFor EXCEPT ![i] = j]
                          ELSE IF isNewer THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
           /\ role' = IF isNewer THEN [role EXCEPT ![i] = "follower"] ELSE role
           /\ Forget(i, isNewer)
           /\ Save(i, "vote" \in Repairs /\ (isNewer \/ isGranted))
           /\ net' = IF isGranted THEN Send(Take(net, j, i), i, j, [type |-> "response_vote", term |-> m.term])
                     ELSE Take(net, j, i)
    /\ UNCHANGED <<log, commit, spent>>

\* Votes are counted. Who wins adds an entry and sends it.
ReceiveResponseVote(i, j) ==
    /\ IsWaiting(net, j, i) /\ First(net, j, i).type = "response_vote"
    /\ LET counts == role[i] = "candidate" /\ First(net, j, i).term = term[i]
           isWon == counts /\ IsMajority(votes[i] + 1)
           newLog == Append(log[i], Entry(term[i], NoOp))
           start == [k \in Node |-> IF k = i THEN 0 ELSE Len(newLog)]
           taken == Take(net, j, i)
       IN  /\ role' = IF isWon THEN [role EXCEPT ![i] = "leader"] ELSE role
           /\ votes' = IF isWon THEN [votes EXCEPT ![i] = 0]
                       ELSE IF counts THEN [votes EXCEPT ![i] = @ + 1] ELSE votes
           /\ log' = IF isWon THEN [log EXCEPT ![i] = newLog] ELSE log
           /\ next' = IF isWon THEN [next EXCEPT ![i] = NextAfterSend(taken, i, newLog, start)] ELSE next
           /\ net' = IF isWon THEN SendAppends(taken, i, newLog, term[i], commit[i], start) ELSE taken
    /\ UNCHANGED <<term, votedFor, match, commit, saved, spent>>

\* The log is cut after the entry before those that came, whether they differ from what is there or not.
NewLog(l, m) ==
    LET end == m.prevIndex + Len(m.entries)
        isThere == end <= Len(l) /\ \A n \in DOMAIN m.entries : l[m.prevIndex + n].term = m.entries[n].term
    IN  IF "keep" \in Repairs /\ isThere THEN l ELSE SubSeq(l, 1, m.prevIndex) \o m.entries

Reply(m, n, isOk) ==
    LET reply == [type |-> "next_node_idx", next |-> n, reset |-> ~isOk, success |-> isOk]
    IN  IF "reply" \in Repairs THEN reply @@ [term |-> m.term] ELSE reply

\* A message of an earlier term is not answered.
ReceiveAppendEntries(i, j) ==
    /\ IsWaiting(net, j, i) /\ First(net, j, i).type = "append_entries"
    /\ LET m == First(net, j, i)
           isCurrent == m.term >= term[i]
           isNewer == m.term > term[i]
           isMissing == m.prevIndex = 0 \/ m.prevIndex > Len(log[i])
           isOk == isCurrent /\ ~isMissing /\ log[i][m.prevIndex].term = m.prevTerm
           newLog == NewLog(log[i], m)
           end == m.prevIndex + Len(m.entries)
           acknowledged == IF m.entries # <<>> /\ "ack" \notin Repairs THEN end ELSE end + 1
           kept == IF "clamp" \in Repairs THEN Min(commit[i], Len(newLog)) ELSE commit[i]
           found == Min(m.commit, end)
           isKnown == m.commit <= kept \/ ("keep" \in Repairs /\ found <= kept)
           known == IF "commit" \in Repairs /\ isKnown THEN kept ELSE found
           wanted == IF isOk THEN acknowledged ELSE IF isMissing THEN Len(log[i]) + 1 ELSE m.prevIndex
       IN  /\ term' = IF isNewer THEN [term EXCEPT ![i] = m.term] ELSE term
           /\ votedFor' = IF isNewer THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
           /\ role' = IF isCurrent THEN [role EXCEPT ![i] = "follower"] ELSE role
           /\ log' = IF isOk THEN [log EXCEPT ![i] = newLog] ELSE log
           /\ commit' = IF isOk THEN [commit EXCEPT ![i] = known] ELSE commit
           /\ Forget(i, isCurrent)
           /\ Save(i, "vote" \in Repairs /\ isNewer)
           /\ net' = IF isCurrent THEN Send(Take(net, j, i), i, j, Reply(m, wanted, isOk)) ELSE Take(net, j, i)
    /\ UNCHANGED spent

\* A reply has no term: one for an earlier term of the same leader counts as well. The tick after it moves the commit index.
ReceiveNextNodeIdx(i, j) ==
    /\ IsWaiting(net, j, i) /\ First(net, j, i).type = "next_node_idx"
    /\ LET m == First(net, j, i)
           isTaken == role[i] = "leader" /\ ("reply" \in Repairs => m.term = term[i])
           isSuccess == isTaken /\ m.success
           isMatching == isSuccess /\ ("match" \in Repairs => match[i][j] < m.next - 1)
           isNext == (isTaken /\ m.reset) \/ (isMatching /\ "next" \in Repairs)
           newMatch == IF isMatching THEN [match[i] EXCEPT ![j] = m.next - 1] ELSE match[i]
       IN  /\ match' = IF isMatching THEN [match EXCEPT ![i] = newMatch] ELSE match
           /\ next' = IF isNext THEN [next EXCEPT ![i][j] = m.next] ELSE next
           /\ commit' = IF isTaken THEN [commit EXCEPT ![i] = Counted(i, log[i], term[i], @, newMatch)] ELSE commit
    /\ net' = Take(net, j, i)
    /\ UNCHANGED <<term, votedFor, log, role, votes, saved, spent>>

-----------------------------------------------------------------------------
\* The clock of i goes on by one period.
Heartbeat(i) ==
    /\ Spend("heartbeats", MaxHeartbeats)
    /\ IsUp(net, i) /\ role[i] = "leader" /\ Peers(net, i) # {}
    /\ net' = SendAppends(net, i, log[i], term[i], commit[i], next[i])
    /\ next' = [next EXCEPT ![i] = NextAfterSend(net, i, log[i], @)]
    /\ Save(i, TRUE)
    /\ UNCHANGED <<term, votedFor, log, role, votes, commit, match>>

\* A match index of an earlier term may be beyond the log: then a new entry is taken for safe at once.
AddRequest(i, v) ==
    LET newLog == Append(log[i], Entry(term[i], v))
    IN  /\ Spend("requests", MaxRequests)
        /\ IsUp(net, i) /\ role[i] = "leader"
        /\ log' = [log EXCEPT ![i] = newLog]
        /\ commit' = [commit EXCEPT ![i] = Counted(i, newLog, term[i], @, match[i])]
        /\ UNCHANGED <<term, votedFor, role, votes, match>>

\* A client asks i. The next heartbeat sends the request.
Request(i, v) ==
    /\ "kept" \in Requests
    /\ AddRequest(i, v)
    /\ UNCHANGED <<next, saved, net>>

\* A client asks i, and then the clock of i goes on by one period.
RequestAndSend(i, v) ==
    /\ "sent" \in Requests
    /\ AddRequest(i, v)
    /\ net' = SendAppends(net, i, log'[i], term[i], commit'[i], next[i])
    /\ next' = [next EXCEPT ![i] = NextAfterSend(net, i, log'[i], @)]
    /\ saved' = IF IsDurable THEN [saved EXCEPT ![i] = commit'[i]] ELSE saved

-----------------------------------------------------------------------------
Isolate(i) ==
    /\ Spend("cuts", MaxCuts)
    /\ net' = CutOff(net, {i})
    /\ net'.cut # net.cut
    /\ UNCHANGED nodeVars

CutLink(i, j) ==
    /\ Spend("linkCuts", MaxLinkCuts)
    /\ AreConnected(net, i, j)
    /\ net' = CutPairs(net, {{i, j}})
    /\ UNCHANGED nodeVars

\* All connect again.
Heal ==
    /\ net.cut # {}
    /\ net' = HealAll(net)
    /\ UNCHANGED <<nodeVars, spent>>

\* What i has after its next start is what it has from now on.
Dies(i) ==
    /\ IsDurable /\ IsUp(net, i)
    /\ net' = Crashed(net, i)
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ Forget(i, TRUE)

KeepsJournal(i) ==
    /\ commit' = [commit EXCEPT ![i] = saved[i]]
    /\ IF "vote" \in Repairs THEN UNCHANGED <<term, votedFor>>
       ELSE term' = [term EXCEPT ![i] = 0] /\ votedFor' = [votedFor EXCEPT ![i] = Nobody]
    /\ UNCHANGED <<log, saved>>

Crash(i) ==
    /\ Spend("crashes", MaxCrashes)
    /\ Dies(i)
    /\ KeepsJournal(i)

\* The power fails where i runs. Nothing is ever synced, neither files nor their names: all may be gone, and here it is.
LosesJournal(i) ==
    /\ term' = [term EXCEPT ![i] = 0]
    /\ votedFor' = [votedFor EXCEPT ![i] = Nobody]
    /\ log' = [log EXCEPT ![i] = <<Entry(0, NoOp)>>]
    /\ commit' = [commit EXCEPT ![i] = 1]
    /\ saved' = [saved EXCEPT ![i] = 1]

PowerFail(i) ==
    /\ Spend("powerFailures", MaxPowerFailures)
    /\ Dies(i)
    /\ IF "sync" \in Repairs THEN KeepsJournal(i) ELSE LosesJournal(i)

Restart(i) ==
    /\ ~IsUp(net, i)
    /\ net' = Restarted(net, i)
    /\ UNCHANGED <<nodeVars, spent>>

Next ==
    \/ \E i \in Node : Timeout(i) \/ Heartbeat(i) \/ Isolate(i) \/ Crash(i) \/ PowerFail(i) \/ Restart(i)
    \/ \E i \in Node, v \in Value : Request(i, v) \/ RequestAndSend(i, v)
    \/ \E i, j \in Node : \/ ReceiveRequestVote(i, j) \/ ReceiveResponseVote(i, j)
                          \/ ReceiveAppendEntries(i, j) \/ ReceiveNextNodeIdx(i, j)
                          \/ CutLink(i, j)
    \/ Heal

Spec == Init /\ [][Next]_vars

FewUnderWay == UnderWay(net) <= MaxUnderWay
AnyName == Permutations(Node) \cup Permutations(Value)

-----------------------------------------------------------------------------
(* What must hold. README.md says which repair each needs.                   *)

Committed(i) == SubSeq(log[i], 1, Min(commit[i], Len(log[i])))
IsPrefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
StaysLeader(i) == role[i] = "leader" /\ role'[i] = "leader" /\ term'[i] = term[i]

ElectionSafety ==
    \A i, j \in Node : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j

LogMatching ==
    \A i, j \in Node : \A n \in 1..Min(Len(log[i]), Len(log[j])) :
        log[i][n].term = log[j][n].term => SubSeq(log[i], 1, n) = SubSeq(log[j], 1, n)

LeaderCompleteness ==
    \A i, j \in Node : role[i] = "leader" /\ term[j] <= term[i] => IsPrefix(Committed(j), log[i])

StateMachineSafety ==
    \A i, j \in Node : IsPrefix(Committed(i), Committed(j)) \/ IsPrefix(Committed(j), Committed(i))

\* What one node takes for safe, a majority has.
CommittedIsDurable ==
    \A i \in Node : IsMajority(Cardinality({j \in Node : IsPrefix(Committed(i), log[j])}))

CommitWithinLog == \A i \in Node : commit[i] <= Len(log[i])

NextAboveMatch ==
    \A i, j \in Node : role[i] = "leader" /\ i # j => next[i][j] > match[i][j]

\* A crash may forget the commit index, which is not a mistake.
CommitMonotonic == [][\A i \in Node : IsUp(net', i) => commit[i] <= commit'[i]]_vars
MatchMonotonic == [][\A i, j \in Node : StaysLeader(i) => match[i][j] <= match'[i][j]]_vars
TermMonotonic == [][\A i \in Node : term[i] <= term'[i]]_vars

\* The next index goes back where a follower asks for it, and where less was acknowledged than was sent.
NextMonotonic ==
    [][\A i, j \in Node : StaysLeader(i) /\ next'[i][j] < next[i][j] => next'[i][j] > match'[i][j]]_vars

VotesOnce ==
    [][\A i \in Node : term'[i] = term[i] /\ votedFor[i] # Nobody => votedFor'[i] = votedFor[i]]_vars

CommitsOwnTerm ==
    [][\A i \in Node : StaysLeader(i) /\ commit'[i] > commit[i] => log'[i][commit'[i]].term = term[i]]_vars

LeaderAppendsOnly == [][\A i \in Node : StaysLeader(i) => IsPrefix(log[i], log'[i])]_vars

CommittedStays == [][\A i \in Node : IsPrefix(Committed(i), log'[i])]_vars
=============================================================================
