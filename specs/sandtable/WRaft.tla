-------------------------------- MODULE WRaft --------------------------------
(* What the C library of willemt/raft does, with its snapshots: the WRaft of *)
(* SandTable, which RedisRaft and DaosRaft began from. `Bugs` bring back     *)
(* its mistakes one by one. Written from descriptions of what they are.      *)
(*                                                                           *)
(* Each action is one thing that happens at one node.                        *)
EXTENDS Naturals, Sequences, FiniteSets, TLC, TcpNetwork

CONSTANTS
    Value,
    Nobody,
    Bugs,   \* which mistakes are made, see below
    MaxElections, MaxRequests, MaxHeartbeats, MaxSnapshots, MaxCuts, MaxUnderWay

(* "prefix":   an append from the beginning is taken where the log begins later, and goes to its end      1   *)
(* "behind":   who needs the last entry of the snapshot gets no snapshot, and no entry                    2   *)
(* "refused":  a snapshot that ends before the log is refused, whether the log agrees or not              3   *)
(* "term":     a snapshot takes the term back to that of its last entry                                   4   *)
(* "next":     a refusal takes the next index back below the match index                                  5, 7 *)
(* "stops":    heartbeats stop at the first node that needs a snapshot                                    8   *)
(* "compact":  the last term of a log of which nothing but the snapshot is left is 0                      9   *)
AllBugs == {"prefix", "behind", "refused", "term", "next", "stops", "compact"}
ASSUME Bugs \subseteq AllBugs

VARIABLES
    term, votedFor, role, votes,
    base, baseTerm,   \* the last entry that is in the snapshot
    log,              \* the entries after it: [term, value]
    commit, next, match,
    chosen,           \* what was committed at each index, the first time
    net, spent

nodeVars == <<term, votedFor, role, votes, base, baseTerm, log, commit, next, match, chosen>>
vars == <<nodeVars, net, spent>>

-----------------------------------------------------------------------------
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b
Others(i) == Node \ {i}
IsMajority(s) == 2 * Cardinality(s) > Cardinality(Node)
Zeros == [j \in Node |-> 0]

Last(i) == base[i] + Len(log[i])
TermAt(i, n) == IF n > base[i] /\ n <= Last(i) THEN log[i][n - base[i]].term
                ELSE IF n = base[i] THEN baseTerm[i] ELSE 0
LastTerm(i) == IF log[i] = <<>> /\ "compact" \in Bugs THEN 0 ELSE TermAt(i, Last(i))

Init ==
    /\ term = Zeros
    /\ votedFor = [i \in Node |-> Nobody]
    /\ role = [i \in Node |-> "follower"]
    /\ votes = [i \in Node |-> {}]
    /\ base = Zeros /\ baseTerm = Zeros
    /\ log = [i \in Node |-> <<>>]
    /\ commit = Zeros
    /\ next = [i \in Node |-> Zeros]
    /\ match = [i \in Node |-> Zeros]
    /\ chosen = <<>>
    /\ net = Connections
    /\ spent = [elections |-> 0, requests |-> 0, heartbeats |-> 0, snapshots |-> 0, cuts |-> 0]

Spend(what, most) == spent[what] < most /\ spent' = [spent EXCEPT ![what] = @ + 1]

\* Where something is committed for the first time, it is written down.
Choose(l, b, c) ==
    IF c <= Len(chosen) \/ c - b > Len(l) THEN chosen
    ELSE chosen \o [n \in 1..(c - Len(chosen)) |-> IF Len(chosen) + n > b THEN l[Len(chosen) + n - b].term ELSE 0]

-----------------------------------------------------------------------------
Append1(i, j) ==
    [type |-> "append", term |-> term[i], prev |-> next[i][j] - 1, prevTerm |-> TermAt(i, next[i][j] - 1),
     entries |-> IF next[i][j] > base[i] THEN SubSeq(log[i], next[i][j] - base[i], Len(log[i])) ELSE <<>>,
     commit |-> commit[i]]
NeedsSnapshot(i, n) == base[i] > 0 /\ (n < base[i] \/ (n = base[i] /\ "behind" \notin Bugs))
Snapshot(i) == [type |-> "snapshot", term |-> term[i], last |-> base[i], lastTerm |-> baseTerm[i]]
MessageFor(i, j) == IF NeedsSnapshot(i, next[i][j]) THEN Snapshot(i) ELSE Append1(i, j)

-----------------------------------------------------------------------------
Timeout(i) ==
    /\ Spend("elections", MaxElections)
    /\ role[i] # "leader"
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ votedFor' = [votedFor EXCEPT ![i] = i]
    /\ role' = [role EXCEPT ![i] = "candidate"]
    /\ votes' = [votes EXCEPT ![i] = {i}]
    /\ net' = Broadcast(net, i, [type |-> "vote", term |-> term[i] + 1, last |-> Last(i), lastTerm |-> LastTerm(i)])
    /\ UNCHANGED <<base, baseTerm, log, commit, next, match, chosen>>

\* A newer term makes a follower.
Adopt(i, t) ==
    /\ term' = [term EXCEPT ![i] = Max(@, t)]
    /\ role' = IF t > term[i] THEN [role EXCEPT ![i] = "follower"] ELSE role
    /\ votes' = IF t > term[i] THEN [votes EXCEPT ![i] = {}] ELSE votes

HandleVote(i, j, m) ==
    LET isFree == m.term > term[i] \/ (m.term = term[i] /\ votedFor[i] = Nobody)
        isUpToDate == m.lastTerm > LastTerm(i) \/ (m.lastTerm = LastTerm(i) /\ m.last >= Last(i))
        isGranted == isFree /\ isUpToDate
    IN  /\ Adopt(i, m.term)
        /\ votedFor' = IF isGranted THEN [votedFor EXCEPT ![i] = j]
                       ELSE IF m.term > term[i] THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ net' = Send(Take(net, j, i), i, j, [type |-> "voted", term |-> Max(m.term, term[i]), granted |-> isGranted])
        /\ UNCHANGED <<base, baseTerm, log, commit, next, match, chosen>>

\* Who wins tells all.
HandleVoted(i, j, m) ==
    LET counts == role[i] = "candidate" /\ m.term = term[i] /\ m.granted
        isWon == counts /\ IsMajority(votes[i] \cup {j})
        hello == [type |-> "append", term |-> term[i], prev |-> Last(i), prevTerm |-> TermAt(i, Last(i)), entries |-> <<>>,
                  commit |-> commit[i]]
    IN  /\ term' = [term EXCEPT ![i] = Max(@, m.term)]
        /\ votedFor' = IF m.term > term[i] THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ role' = IF m.term > term[i] THEN [role EXCEPT ![i] = "follower"]
                   ELSE IF isWon THEN [role EXCEPT ![i] = "leader"] ELSE role
        /\ votes' = IF m.term > term[i] \/ isWon THEN [votes EXCEPT ![i] = {}]
                    ELSE IF counts THEN [votes EXCEPT ![i] = @ \cup {j}] ELSE votes
        /\ next' = IF isWon THEN [next EXCEPT ![i] = [k \in Node |-> IF k = i THEN 0 ELSE Last(i) + 1]] ELSE next
        /\ match' = IF isWon THEN [match EXCEPT ![i] = Zeros] ELSE match
        /\ net' = IF isWon THEN Broadcast(Take(net, j, i), i, hello) ELSE Take(net, j, i)
        /\ UNCHANGED <<base, baseTerm, log, commit, chosen>>

HandleAppend(i, j, m) ==
    LET isTaken == m.term >= term[i]
        isBeginning == m.prev = 0 /\ "prefix" \in Bugs
        isThere == m.prev <= Last(i) /\ TermAt(i, m.prev) = m.prevTerm
        isOk == isTaken /\ (isBeginning \/ (m.prev >= base[i] /\ isThere))
        indexOf(n) == m.prev + n
        isNew(n) == indexOf(n) > Last(i) \/ (indexOf(n) <= base[i] /\ "prefix" \in Bugs)
                    \/ (indexOf(n) > base[i] /\ TermAt(i, indexOf(n)) # m.entries[n].term)
        news == {n \in DOMAIN m.entries : isNew(n)}
        first == CHOOSE n \in news : \A k \in news : n <= k
        cut == IF indexOf(first) <= base[i] THEN log[i] ELSE SubSeq(log[i], 1, indexOf(first) - 1 - base[i])
        newLog == IF news = {} THEN log[i] ELSE cut \o SubSeq(m.entries, first, Len(m.entries))
        end == base[i] + Len(newLog)
        known == IF m.prev = 0 \/ "behind" \in Bugs THEN Min(m.commit, end) ELSE Min(m.commit, m.prev + Len(m.entries))
        newCommit == IF isOk THEN Max(commit[i], Min(known, end)) ELSE commit[i]
    IN  /\ term' = [term EXCEPT ![i] = Max(@, m.term)]
        /\ votedFor' = IF m.term > term[i] THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ role' = IF isTaken THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ votes' = IF isTaken THEN [votes EXCEPT ![i] = {}] ELSE votes
        /\ log' = IF isOk THEN [log EXCEPT ![i] = newLog] ELSE log
        /\ commit' = [commit EXCEPT ![i] = newCommit]
        /\ chosen' = IF isOk THEN Choose(newLog, base[i], newCommit) ELSE chosen
        /\ net' = Send(Take(net, j, i), i, j,
                       [type |-> "appended", term |-> Max(m.term, term[i]), ok |-> isOk,
                        last |-> IF isOk THEN m.prev + Len(m.entries) ELSE Last(i)])
        /\ UNCHANGED <<base, baseTerm, next, match>>

\* A refusal is answered at once, with what came before.
HandleAppended(i, j, m) ==
    LET n == next[i][j]
        isStale == ~m.ok /\ n - 1 <= match[i][j] /\ "next" \notin Bugs
        isTaken == role[i] = "leader" /\ m.term = term[i] /\ ~isStale
        back == IF m.last < n - 1 THEN Min(m.last + 1, Last(i)) ELSE n - 1
        newNext == IF m.ok THEN Max(n, m.last + 1)
                   ELSE IF "next" \in Bugs THEN Max(back, 1) ELSE Max(back, match[i][j] + 1)
        newMatch == IF m.ok THEN Max(match[i][j], m.last) ELSE match[i][j]
        having == {i, j} \cup {k \in Others(i) : match[i][k] >= m.last}
        isSafe == m.ok /\ m.last > commit[i] /\ m.last <= Last(i) /\ TermAt(i, m.last) = term[i] /\ IsMajority(having)
        retry == IF NeedsSnapshot(i, newNext) THEN Snapshot(i)
                 ELSE [type |-> "append", term |-> term[i], prev |-> newNext - 1, prevTerm |-> TermAt(i, newNext - 1),
                       entries |-> IF newNext > base[i] THEN SubSeq(log[i], newNext - base[i], Len(log[i])) ELSE <<>>,
                       commit |-> commit[i]]
        rest == Take(net, j, i)
    IN  /\ Adopt(i, m.term)
        /\ votedFor' = IF m.term > term[i] THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ next' = IF isTaken THEN [next EXCEPT ![i][j] = newNext] ELSE next
        /\ match' = IF isTaken THEN [match EXCEPT ![i][j] = newMatch] ELSE match
        /\ commit' = IF isTaken /\ isSafe THEN [commit EXCEPT ![i] = m.last] ELSE commit
        /\ chosen' = IF isTaken /\ isSafe THEN Choose(log[i], base[i], m.last) ELSE chosen
        /\ net' = IF isTaken /\ ~m.ok THEN Send(rest, i, j, retry) ELSE rest
        /\ UNCHANGED <<base, baseTerm, log>>

HandleSnapshot(i, j, m) ==
    LET isTaken == m.term >= term[i]
        agrees == m.last <= Last(i) /\ (m.last <= base[i] \/ TermAt(i, m.last) = m.lastTerm)
        isRefused == ~isTaken \/ m.last <= commit[i] \/ agrees \/ ("refused" \in Bugs /\ m.last < Last(i))
        newTerm == IF "term" \in Bugs THEN m.lastTerm ELSE Max(term[i], m.term)
    IN  /\ term' = [term EXCEPT ![i] = IF isRefused THEN Max(@, m.term) ELSE newTerm]
        /\ votedFor' = IF m.term > term[i] \/ (~isRefused /\ "term" \in Bugs) THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ role' = IF isTaken THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ votes' = IF isTaken THEN [votes EXCEPT ![i] = {}] ELSE votes
        /\ base' = IF isRefused THEN base ELSE [base EXCEPT ![i] = m.last]
        /\ baseTerm' = IF isRefused THEN baseTerm ELSE [baseTerm EXCEPT ![i] = m.lastTerm]
        /\ log' = IF isRefused THEN log ELSE [log EXCEPT ![i] = <<>>]
        /\ commit' = IF isRefused THEN commit ELSE [commit EXCEPT ![i] = m.last]
        /\ net' = IF isTaken /\ (agrees \/ ~isRefused)
                  THEN Send(Take(net, j, i), i, j, [type |-> "appended", term |-> m.term, ok |-> TRUE, last |-> m.last])
                  ELSE Take(net, j, i)
        /\ UNCHANGED <<next, match, chosen>>

Receive(i, j) ==
    /\ IsWaiting(net, j, i)
    /\ UNCHANGED spent
    /\ LET m == First(net, j, i)
       IN  CASE m.type = "vote" -> HandleVote(i, j, m)
             [] m.type = "voted" -> HandleVoted(i, j, m)
             [] m.type = "append" -> HandleAppend(i, j, m)
             [] m.type = "appended" -> HandleAppended(i, j, m)
             [] m.type = "snapshot" -> HandleSnapshot(i, j, m)

-----------------------------------------------------------------------------
\* A request goes to those that have all that came before it.
Request(i, v) ==
    /\ Spend("requests", MaxRequests)
    /\ role[i] = "leader"
    /\ LET entry == [term |-> term[i], value |-> v]
           keepsUp == {j \in Peers(net, i) : next[i][j] = Last(i) + 1}
           m == [type |-> "append", term |-> term[i], prev |-> Last(i), prevTerm |-> TermAt(i, Last(i)), entries |-> <<entry>>,
                 commit |-> commit[i]]
       IN  /\ log' = [log EXCEPT ![i] = Append(@, entry)]
           /\ net' = SendEach(net, i, [j \in Node |-> IF j \in keepsUp THEN <<m>> ELSE <<>>])
    /\ UNCHANGED <<term, votedFor, role, votes, base, baseTerm, commit, next, match, chosen>>

\* One after the other; with "stops" up to the first that needs a snapshot.
Heartbeat(i) ==
    /\ Spend("heartbeats", MaxHeartbeats)
    /\ role[i] = "leader"
    /\ LET lagging == {j \in Others(i) : NeedsSnapshot(i, next[i][j])}
           told == IF "stops" \in Bugs /\ lagging # {} THEN {CHOOSE j \in lagging : TRUE} ELSE Others(i)
       IN  net' = SendEach(net, i, [j \in Node |-> IF j \in told THEN <<MessageFor(i, j)>> ELSE <<>>])
    /\ UNCHANGED nodeVars

Compact(i) ==
    /\ Spend("snapshots", MaxSnapshots)
    /\ commit[i] > base[i] /\ commit[i] <= Last(i)
    /\ base' = [base EXCEPT ![i] = commit[i]]
    /\ baseTerm' = [baseTerm EXCEPT ![i] = TermAt(i, commit[i])]
    /\ log' = [log EXCEPT ![i] = SubSeq(@, commit[i] - base[i] + 1, Len(@))]
    /\ UNCHANGED <<term, votedFor, role, votes, commit, next, match, chosen, net>>

Isolate(i) ==
    /\ Spend("cuts", MaxCuts)
    /\ net.cut = {}
    /\ net' = CutOff(net, {i})
    /\ UNCHANGED nodeVars

Heal == net.cut # {} /\ net' = HealAll(net) /\ UNCHANGED <<nodeVars, spent>>

Next ==
    \/ \E i \in Node : Timeout(i) \/ Heartbeat(i) \/ Compact(i) \/ Isolate(i)
    \/ \E i \in Node, v \in Value : Request(i, v)
    \/ \E i, j \in Node : Receive(i, j)
    \/ Heal

Spec == Init /\ [][Next]_vars

FewUnderWay == UnderWay(net) <= MaxUnderWay
AnyName == Permutations(Node)

-----------------------------------------------------------------------------
ElectionSafety ==
    \A i, j \in Node : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j

\* All that take an index for safe have the same there.
CommittedAgree ==
    \A i \in Node : \A n \in 1..Min(commit[i], Len(chosen)) : TermAt(i, n) \in {0, chosen[n]}

\* What is committed anywhere a majority has, or has in a snapshot.
CommittedIsDurable ==
    \A n \in DOMAIN chosen : IsMajority({i \in Node : n < base[i] \/ TermAt(i, n) = chosen[n]})

\* Logs are not longer than what was asked for.
NoCopies == \A i \in Node : Last(i) <= spent.requests
NextAboveMatch == \A i, j \in Node : role[i] = "leader" /\ i # j => next[i][j] > match[i][j]

\* Who refuses is sent what it lacks.
RetriesHaveEntries ==
    [][\A i, j \in Node :
        /\ net'.queue[j][i] # net.queue[j][i] /\ IsWaiting(net, j, i) /\ First(net, j, i).type = "appended"
        /\ ~First(net, j, i).ok /\ Len(net'.queue[i][j]) > Len(net.queue[i][j])
        => LET m == net'.queue[i][j][Len(net'.queue[i][j])] IN m.type = "append" => m.entries # <<>>]_vars

\* Who is sent a snapshot of something that it does not have has it then.
SnapshotsAreTaken ==
    [][\A i, j \in Node :
        /\ IsWaiting(net, j, i) /\ First(net, j, i).type = "snapshot" /\ First(net, j, i).term >= term[i]
        /\ Len(net'.queue[j][i]) < Len(net.queue[j][i]) /\ AreConnected(net', i, j)
        => LET m == First(net, j, i) IN TermAt(i, m.last) = m.lastTerm \/ commit[i] >= m.last \/ base'[i] >= m.last]_vars

TermMonotonic == [][\A i \in Node : term[i] <= term'[i]]_vars
CommitMonotonic == [][\A i \in Node : commit[i] <= commit'[i]]_vars
HeartbeatsReachAll ==
    [][\A i \in Node : spent'.heartbeats > spent.heartbeats /\ net'.queue[i] # net.queue[i] =>
        \A j \in Peers(net, i) : net'.queue[i][j] # net.queue[i][j]]_vars
\* A majority whose logs are as good as any elects.
CompactCounts == \A i \in Node : commit[i] > 0 => LastTerm(i) > 0
=============================================================================
