-------------------------------- MODULE Xraft --------------------------------
(* Xraft, a Raft in Java, and Xraft-KV, the store on top of it. `Bugs` bring *)
(* back what SandTable found: with "vote" a vote of an earlier term counts,  *)
(* with "read" any node answers reads from what it has applied.              *)
EXTENDS Naturals, Sequences, FiniteSets, TLC, TcpNetwork

CONSTANTS Nobody, Bugs, MaxElections, MaxPuts, MaxGets, MaxHeartbeats, MaxCuts, MaxUnderWay
ASSUME Bugs \subseteq {"vote", "read"}

VARIABLES
    term, votedFor, role, votes,
    log,      \* the terms of entries; an entry is one more version of the only key
    commit, next, match,
    written,  \* the last version of which a client knows that it was written
    reads,    \* for each read: the version that was known to be written when it was asked for, and what it returned
    net, spent

nodeVars == <<term, votedFor, role, votes, log, commit, next, match, written, reads>>
vars == <<nodeVars, net, spent>>

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b
Others(i) == Node \ {i}
IsMajority(s) == 2 * Cardinality(s) > Cardinality(Node)
Zeros == [j \in Node |-> 0]
TermAt(l, n) == IF n = 0 \/ n > Len(l) THEN 0 ELSE l[n]
LastTerm(l) == TermAt(l, Len(l))

Init ==
    /\ term = Zeros
    /\ votedFor = [i \in Node |-> Nobody]
    /\ role = [i \in Node |-> "follower"]
    /\ votes = [i \in Node |-> {}]
    /\ log = [i \in Node |-> <<>>]
    /\ commit = Zeros
    /\ next = [i \in Node |-> Zeros]
    /\ match = [i \in Node |-> Zeros]
    /\ written = 0
    /\ reads = {}
    /\ net = Connections
    /\ spent = [elections |-> 0, puts |-> 0, gets |-> 0, heartbeats |-> 0, cuts |-> 0]

Spend(what, most) == spent[what] < most /\ spent' = [spent EXCEPT ![what] = @ + 1]

Appends(i, l, ns) ==
    [j \in Node |-> IF j = i THEN <<>>
                    ELSE <<[type |-> "append", term |-> term[i], prev |-> ns[j] - 1, prevTerm |-> TermAt(l, ns[j] - 1),
                            entries |-> SubSeq(l, ns[j], Len(l)), commit |-> commit[i]]>>]

-----------------------------------------------------------------------------
Timeout(i) ==
    /\ Spend("elections", MaxElections)
    /\ role[i] # "leader"
    /\ term' = [term EXCEPT ![i] = @ + 1]
    /\ votedFor' = [votedFor EXCEPT ![i] = i]
    /\ role' = [role EXCEPT ![i] = "candidate"]
    /\ votes' = [votes EXCEPT ![i] = {i}]
    /\ net' = Broadcast(net, i, [type |-> "vote", term |-> term[i] + 1, last |-> Len(log[i]), lastTerm |-> LastTerm(log[i])])
    /\ UNCHANGED <<log, commit, next, match, written, reads>>

HandleVote(i, j, m) ==
    LET isNewer == m.term > term[i]
        isUpToDate == m.lastTerm > LastTerm(log[i]) \/ (m.lastTerm = LastTerm(log[i]) /\ m.last >= Len(log[i]))
        isGranted == isUpToDate /\ (isNewer \/ (m.term = term[i] /\ role[i] = "follower" /\ votedFor[i] \in {Nobody, j}))
    IN  /\ term' = [term EXCEPT ![i] = Max(@, m.term)]
        /\ votedFor' = IF isGranted THEN [votedFor EXCEPT ![i] = j]
                       ELSE IF isNewer THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ role' = IF isNewer THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ votes' = IF isNewer THEN [votes EXCEPT ![i] = {}] ELSE votes
        /\ net' = Send(Take(net, j, i), i, j, [type |-> "voted", term |-> Max(m.term, term[i]), granted |-> isGranted])
        /\ UNCHANGED <<log, commit, next, match, written, reads>>

HandleVoted(i, j, m) ==
    LET counts == role[i] = "candidate" /\ m.granted /\ (m.term = term[i] \/ ("vote" \in Bugs /\ m.term < term[i]))
        isWon == counts /\ IsMajority(votes[i] \cup {j})
        isNewer == m.term > term[i]
        ns == [k \in Node |-> IF k = i THEN 0 ELSE Len(log[i]) + 1]
    IN  /\ term' = [term EXCEPT ![i] = Max(@, m.term)]
        /\ votedFor' = IF isNewer THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ role' = IF isNewer THEN [role EXCEPT ![i] = "follower"] ELSE IF isWon THEN [role EXCEPT ![i] = "leader"] ELSE role
        /\ votes' = IF isNewer \/ isWon THEN [votes EXCEPT ![i] = {}]
                    ELSE IF counts THEN [votes EXCEPT ![i] = @ \cup {j}] ELSE votes
        /\ next' = IF isWon THEN [next EXCEPT ![i] = ns] ELSE next
        /\ match' = IF isWon THEN [match EXCEPT ![i] = Zeros] ELSE match
        /\ net' = IF isWon THEN SendEach(Take(net, j, i), i, Appends(i, log[i], ns)) ELSE Take(net, j, i)
        /\ UNCHANGED <<log, commit, written, reads>>

HandleAppend(i, j, m) ==
    LET isTaken == m.term >= term[i]
        isOk == isTaken /\ m.prev <= Len(log[i]) /\ TermAt(log[i], m.prev) = m.prevTerm
        end == m.prev + Len(m.entries)
        isThere == end <= Len(log[i]) /\ \A n \in DOMAIN m.entries : log[i][m.prev + n] = m.entries[n]
    IN  /\ term' = [term EXCEPT ![i] = Max(@, m.term)]
        /\ votedFor' = IF m.term > term[i] THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ role' = IF isTaken THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ votes' = IF isTaken THEN [votes EXCEPT ![i] = {}] ELSE votes
        /\ log' = IF isOk /\ ~isThere THEN [log EXCEPT ![i] = SubSeq(@, 1, m.prev) \o m.entries] ELSE log
        /\ commit' = IF isOk THEN [commit EXCEPT ![i] = Max(@, Min(m.commit, end))] ELSE commit
        /\ net' = Send(Take(net, j, i), i, j, [type |-> "appended", term |-> Max(m.term, term[i]), ok |-> isOk, last |-> end])
        /\ UNCHANGED <<next, match, written, reads>>

HandleAppended(i, j, m) ==
    LET isTaken == role[i] = "leader" /\ m.term = term[i]
        newMatch == IF m.ok THEN [match[i] EXCEPT ![j] = Max(@, m.last)] ELSE match[i]
        having == {i} \cup {k \in Others(i) : newMatch[k] >= m.last}
        isSafe == isTaken /\ m.ok /\ m.last > commit[i] /\ TermAt(log[i], m.last) = term[i] /\ IsMajority(having)
    IN  /\ term' = [term EXCEPT ![i] = Max(@, m.term)]
        /\ votedFor' = IF m.term > term[i] THEN [votedFor EXCEPT ![i] = Nobody] ELSE votedFor
        /\ role' = IF m.term > term[i] THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ votes' = IF m.term > term[i] THEN [votes EXCEPT ![i] = {}] ELSE votes
        /\ match' = IF isTaken THEN [match EXCEPT ![i] = newMatch] ELSE match
        /\ next' = IF isTaken THEN [next EXCEPT ![i][j] = IF m.ok THEN Max(@, m.last + 1) ELSE Max(@ - 1, newMatch[j] + 1)] ELSE next
        /\ commit' = IF isSafe THEN [commit EXCEPT ![i] = m.last] ELSE commit
        \* The client hears of it.
        /\ written' = IF isSafe THEN Max(written, m.last) ELSE written
        /\ net' = Take(net, j, i)
        /\ UNCHANGED <<log, reads>>

Receive(i, j) ==
    /\ IsWaiting(net, j, i)
    /\ UNCHANGED spent
    /\ LET m == First(net, j, i)
       IN  CASE m.type = "vote" -> HandleVote(i, j, m)
             [] m.type = "voted" -> HandleVoted(i, j, m)
             [] m.type = "append" -> HandleAppend(i, j, m)
             [] m.type = "appended" -> HandleAppended(i, j, m)

-----------------------------------------------------------------------------
Put(i) ==
    /\ Spend("puts", MaxPuts)
    /\ role[i] = "leader"
    /\ log' = [log EXCEPT ![i] = Append(@, term[i])]
    /\ net' = SendEach(net, i, Appends(i, log'[i], next[i]))
    /\ UNCHANGED <<term, votedFor, role, votes, commit, next, match, written, reads>>

Heartbeat(i) ==
    /\ Spend("heartbeats", MaxHeartbeats)
    /\ role[i] = "leader"
    /\ net' = SendEach(net, i, Appends(i, log[i], next[i]))
    /\ UNCHANGED nodeVars

\* With "read" whoever is asked answers. Without it a read is an answer only where a majority takes i for the leader, in one step here.
Get(i) ==
    /\ Spend("gets", MaxGets)
    /\ "read" \in Bugs \/ (/\ role[i] = "leader" /\ commit[i] > 0 /\ TermAt(log[i], commit[i]) = term[i]
                           /\ IsMajority({i} \cup {j \in Peers(net, i) : term[j] = term[i]}))
    /\ reads' = reads \cup {[asked |-> written, found |-> commit[i]]}
    /\ UNCHANGED <<term, votedFor, role, votes, log, commit, next, match, written, net>>

Isolate(i) ==
    /\ Spend("cuts", MaxCuts)
    /\ net.cut = {}
    /\ net' = CutOff(net, {i})
    /\ UNCHANGED nodeVars

Heal == net.cut # {} /\ net' = HealAll(net) /\ UNCHANGED <<nodeVars, spent>>

Next == \/ \E i \in Node : Timeout(i) \/ Put(i) \/ Get(i) \/ Heartbeat(i) \/ Isolate(i)
        \/ \E i, j \in Node : Receive(i, j)
        \/ Heal

Spec == Init /\ [][Next]_vars

FewUnderWay == UnderWay(net) <= MaxUnderWay
AnyName == Permutations(Node)

-----------------------------------------------------------------------------
IsPrefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
Committed(i) == SubSeq(log[i], 1, commit[i])

ElectionSafety ==
    \A i, j \in Node : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j
StateMachineSafety == \A i, j \in Node : IsPrefix(Committed(i), Committed(j)) \/ IsPrefix(Committed(j), Committed(i))
LeaderCompleteness == \A i, j \in Node : role[i] = "leader" /\ term[j] <= term[i] => IsPrefix(Committed(j), log[i])
NextAboveMatch == \A i, j \in Node : role[i] = "leader" /\ i # j => next[i][j] > match[i][j]
\* A read returns what was written before it was asked for.
ReadsAreFresh == \A r \in reads : r.found >= r.asked
TermMonotonic == [][\A i \in Node : term[i] <= term'[i]]_vars
VotesOnce == [][\A i \in Node : term'[i] = term[i] /\ votedFor[i] # Nobody => votedFor'[i] = votedFor[i]]_vars
CommitMonotonic == [][\A i \in Node : commit[i] <= commit'[i]]_vars
=============================================================================
