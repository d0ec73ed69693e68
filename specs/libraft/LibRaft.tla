------------------------------- MODULE LibRaft -------------------------------
(* What libraft 0.15.0 does, a Raft in C: elections with or without a        *)
(* pre-vote, replication by probes and pipelines, snapshots, and how its     *)
(* raft_uv connects, loses connections and keeps messages. `Repairs` undo    *)
(* its mistakes one by one.                                                  *)
(*                                                                           *)
(* Each action is one thing that can be done to real processes: a message is *)
(* delivered, a clock goes on, a client asks, a link is cut, a process dies. *)
(* After it the node has handled what came, has written what there is to     *)
(* write, and sleeps. README.md has more.                                    *)
EXTENDS Naturals, Sequences, FiniteSets, TLC, TcpNetwork

CONSTANTS
    Value,         \* what clients ask for: numbers, 0 is a barrier
    Nobody,
    Repairs,       \* which mistakes are repaired, see below
    PreVote,       \* whether who stands for election asks first whether it could win
    Threshold,     \* so many applied entries after the last snapshot, and there is a new one
    Trailing,      \* so many entries before a snapshot are kept
    MaxElections, MaxRequests, MaxHeartbeats, MaxCuts, MaxCrashes, MaxPowerFailures, MaxTears, MaxUnderWay

(* "term": a leader commits entries of its own term alone           0.17     *)
(* "ack":  a follower acknowledges what it was sent, and not all     in no   *)
(*         that it has                                               release *)
AllRepairs == {"term", "ack"}
ASSUME Repairs \subseteq AllRepairs /\ Value \subseteq 0..9

VARIABLES
    term,      \* durable
    votedFor,  \* durable
    log,       \* [offset, snapIndex, snapTerm, entries]: entries after the offset, and the last snapshot; durable
    stored,    \* the last entry that is durable
    commit,    \* the last entry that is taken for safe
    values,    \* the state machine: the values of the commands that were applied
    role,      \* "follower", "precandidate", "candidate" or "leader"
    leader,    \* whom a follower follows
    votes,     \* who votes for a candidate
    progress,  \* progress[i][j]: what the leader i knows of j
    ticks,     \* how often a leader's clock went on since it last looked whether it hears a majority
    link,      \* link[i][j]: how i, which dials, is connected to j
    pending,   \* pending[i][j]: messages that wait for such a connection
    net,       \* TcpNetwork
    spent      \* how much of each budget

diskVars == <<term, votedFor, log, stored>>
nodeVars == <<diskVars, commit, values, role, leader, votes, progress, ticks>>
vars == <<nodeVars, link, pending, net, spent>>

-----------------------------------------------------------------------------
(* Of links: "none": nobody dialled yet; "up"; "broken": and who dialled has *)
(* not noticed; "dialling": cut, so it waits; "refused": it dials again when *)
(* its clock goes on.                                                        *)

Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a > b THEN a ELSE b
Others(i) == Node \ {i}
IsMajority(s) == 2 * Cardinality(s) > Cardinality(Node)

Entry(t, k, v) == [term |-> t, kind |-> k, value |-> v]
Barrier == 0
\* The configuration, which all have from the beginning.
FirstEntry == Entry(1, "change", 0)
LastOf(l) == l.offset + Len(l.entries)
TermOf(l, n) == IF n = l.snapIndex THEN l.snapTerm
                ELSE IF n <= l.offset \/ n > LastOf(l) THEN 0
                ELSE l.entries[n - l.offset].term
LastTermOf(l) == TermOf(l, LastOf(l))
From(l, n) == SubSeq(l.entries, n - l.offset, Len(l.entries))
CutAfter(l, n) == [l EXCEPT !.entries = SubSeq(@, 1, n - l.offset)]

NoProgress == [state |-> "probe", next |-> 0, match |-> 0, snapshot |-> 0, heard |-> FALSE, sent |-> FALSE]
Follows == [j \in Node |-> NoProgress]

\* What one node is, as a value: handlers make one of another. `out` is what it sends, in this order.
NodeOf(i) ==
    [term |-> term[i], votedFor |-> votedFor[i], log |-> log[i], stored |-> stored[i], commit |-> commit[i],
     values |-> values[i], role |-> role[i], leader |-> leader[i], votes |-> votes[i], progress |-> progress[i],
     ticks |-> ticks[i], out |-> <<>>]

Out(s, j, m) == [s EXCEPT !.out = Append(@, [to |-> j, body |-> m])]

RECURSIVE OutEach(_, _, _)
OutEach(s, to, m) ==
    IF to = {} THEN s ELSE LET j == CHOOSE j \in to : TRUE IN OutEach(Out(s, j, m), to \ {j}, m)

-----------------------------------------------------------------------------
(* Roles.                                                                    *)

Follow(s) == [s EXCEPT !.role = "follower", !.leader = Nobody, !.votes = {}, !.progress = Follows, !.ticks = 0]

\* A newer term: no vote, and a follower. Who follows already still knows its leader.
Adopt(s, t) ==
    LET newer == [s EXCEPT !.term = t, !.votedFor = Nobody]
    IN  IF s.role = "follower" THEN newer ELSE Follow(newer)

\* A round of votes: for real, or only asked.
Stand(i, s, isAsking) ==
    LET t == s.term + 1
        round == [s EXCEPT !.role = IF isAsking THEN "precandidate" ELSE "candidate", !.leader = Nobody, !.votes = {i},
                           !.term = IF isAsking THEN @ ELSE t, !.votedFor = IF isAsking THEN @ ELSE i]
    IN  OutEach(round, Others(i), [type |-> "vote", term |-> t, last |-> LastOf(s.log), lastTerm |-> LastTermOf(s.log),
                                   pre |-> isAsking])

-----------------------------------------------------------------------------
(* Committing.                                                               *)

RECURSIVE Applied(_, _, _)
Applied(s, from, to) ==
    IF from > to THEN <<>>
    ELSE LET e == s.log.entries[from - s.log.offset]
         IN  (IF e.kind = "command" THEN <<e.value>> ELSE <<>>) \o Applied(s, from + 1, to)

\* Entries up to n are applied; there is a snapshot then if there was none for long. What comes after is not affected: the
\* snapshot is written when all else is done.
CommitTo(s, n) == [s EXCEPT !.commit = n, !.values = @ \o Applied(s, s.commit + 1, n)]

Snapshotted(s) ==
    LET n == s.commit
        kept == Max(s.log.offset, n - Min(n, Trailing))
    IN  IF n - s.log.snapIndex < Threshold \/ n = s.log.snapIndex THEN s
        ELSE [s EXCEPT !.log = [offset |-> kept, snapIndex |-> n, snapTerm |-> TermOf(s.log, n),
                                entries |-> From(s.log, kept + 1)]]

\* What a leader takes for safe: the last entry that it has stored.
Counted(i, s) ==
    LET n == s.stored
        having == {i} \cup {j \in Others(i) : s.progress[j].match >= n}
        isOwn == "term" \in Repairs => TermOf(s.log, n) = s.term
    IN  IF n > s.commit /\ TermOf(s.log, n) # 0 /\ isOwn /\ IsMajority(having) THEN CommitTo(s, n) ELSE s

-----------------------------------------------------------------------------
(* What a leader sends.                                                      *)

ToProbe(p) ==
    IF p.state = "snapshot" THEN [p EXCEPT !.state = "probe", !.next = Max(p.match + 1, p.snapshot), !.snapshot = 0]
    ELSE [p EXCEPT !.state = "probe", !.next = p.match + 1]

SendAppend(s, j, prev, prevTerm) ==
    LET entries == From(s.log, prev + 1)
        m == [type |-> "append", term |-> s.term, prevIndex |-> prev, prevTerm |-> prevTerm, commit |-> s.commit,
              entries |-> entries]
        p == s.progress[j]
        moved == IF p.state = "pipeline" THEN [p EXCEPT !.next = prev + 1 + Len(entries)] ELSE p
    IN  Out([s EXCEPT !.progress[j] = [moved EXCEPT !.sent = TRUE]], j, m)

\* The snapshot that is on disk by then; who was not heard of gets an empty message first.
SendSnapshot(s, j) ==
    IF s.progress[j].heard
    THEN Out([s EXCEPT !.progress[j] = [@ EXCEPT !.state = "snapshot", !.snapshot = s.log.snapIndex]], j,
             [type |-> "install", term |-> s.term])
    ELSE SendAppend(s, j, LastOf(s.log), LastTermOf(s.log))

\* One message between two ticks, but for what is new for a follower that is known to keep up.
IsDue(s, j) == ~s.progress[j].sent \/ (s.progress[j].state = "pipeline" /\ s.progress[j].next # LastOf(s.log) + 1)

Replicate(s, j) ==
    LET p == s.progress[j]
        prev == p.next - 1
        prevTerm == IF prev = 0 THEN 0 ELSE TermOf(s.log, prev)
    IN  IF ~IsDue(s, j) THEN s
        ELSE IF p.state = "snapshot" THEN SendAppend(s, j, LastOf(s.log), LastTermOf(s.log))
        ELSE IF (prev = 0 /\ s.log.snapIndex > 0) \/ (prev > 0 /\ prevTerm = 0) THEN SendSnapshot(s, j)
        ELSE SendAppend(s, j, prev, prevTerm)

RECURSIVE ReplicateTo(_, _)
ReplicateTo(s, to) ==
    IF to = {} THEN s ELSE LET j == CHOOSE j \in to : TRUE IN ReplicateTo(Replicate(s, j), to \ {j})

Lead(i, s) ==
    LET start == [NoProgress EXCEPT !.next = LastOf(s.log) + 1]
        led == [s EXCEPT !.role = "leader", !.votes = {}, !.ticks = 0,
                         !.progress = [j \in Node |-> IF j = i THEN NoProgress ELSE start]]
    IN  ReplicateTo(led, Others(i))

-----------------------------------------------------------------------------
(* Handlers: what the node i, which is s, makes of the message m from j.     *)

HandleVote(i, s, j, m) ==
    LET reply(t, isGranted) == [type |-> "voted", term |-> IF m.pre THEN m.term ELSE t, granted |-> isGranted, pre |-> m.pre]
        knowsLeader == s.role = "leader" \/ (s.role = "follower" /\ s.leader # Nobody)
        now == IF ~m.pre /\ m.term > s.term THEN Adopt(s, m.term) ELSE s
        isFree == m.pre \/ now.votedFor \in {Nobody, j}
        isUpToDate == \/ m.lastTerm > LastTermOf(s.log)
                      \/ m.lastTerm = LastTermOf(s.log) /\ m.last >= LastOf(s.log)
    IN  IF knowsLeader \/ m.term < s.term THEN Out(s, j, reply(s.term, FALSE))
        ELSE IF ~(isFree /\ isUpToDate) THEN Out(now, j, reply(now.term, FALSE))
        ELSE Out(IF m.pre THEN now ELSE [now EXCEPT !.votedFor = j], j, reply(now.term, TRUE))

HandleVoted(i, s, j, m) ==
    LET isAsking == s.role = "precandidate"
        isTooNew == IF isAsking THEN m.pre /\ m.term > s.term + 1 ELSE m.term > s.term
        newVotes == s.votes \cup {j}
    IN  IF s.role \notin {"precandidate", "candidate"} THEN s
        ELSE IF isTooNew THEN Adopt(s, m.term)
        ELSE IF m.term < s.term \/ m.pre # isAsking \/ ~m.granted THEN s
        ELSE IF ~IsMajority(newVotes) THEN [s EXCEPT !.votes = newVotes]
        ELSE IF isAsking THEN Stand(i, s, FALSE)
        ELSE Lead(i, s)

\* Entries that are there with other terms are cut, with all that follow; where that is taken for safe already the server gives up.
Kept(s, m) ==
    LET differing == {n \in DOMAIN m.entries : TermOf(s.log, m.prevIndex + n) # m.entries[n].term}
    IN  IF differing = {} THEN Len(m.entries) ELSE (CHOOSE n \in differing : \A k \in differing : n <= k) - 1

HandleAppend(i, s, j, m) ==
    LET now == [IF m.term > s.term THEN Adopt(s, m.term) ELSE s EXCEPT !.leader = j, !.role = "follower", !.votes = {}]
        reply(t, rejected, last) == [type |-> "appended", term |-> t, rejected |-> rejected, last |-> last]
        isMatching == m.prevIndex = 0 \/ TermOf(s.log, m.prevIndex) = m.prevTerm
        keep == Kept(s, m)
        isNew == keep < Len(m.entries)
        cut == IF isNew THEN CutAfter(s.log, m.prevIndex + keep) ELSE s.log
        newLog == [cut EXCEPT !.entries = @ \o SubSeq(m.entries, keep + 1, Len(m.entries))]
        end == IF isNew THEN LastOf(newLog) ELSE s.stored
        taken == [now EXCEPT !.log = newLog, !.stored = end]
        acked == IF "ack" \in Repairs THEN m.prevIndex + Len(m.entries) ELSE end
        known == IF "ack" \in Repairs THEN Min(m.commit, acked) ELSE Min(m.commit, end)
        committed == IF m.commit > s.commit /\ known > s.commit THEN CommitTo(taken, known) ELSE taken
    IN  IF m.term < s.term THEN Out(s, j, reply(s.term, m.prevIndex, LastOf(s.log)))
        ELSE IF ~isMatching THEN Out(now, j, reply(m.term, m.prevIndex, s.stored))
        ELSE Snapshotted(Out(committed, j, reply(m.term, 0, acked)))

HandleAppended(i, s, j, m) ==
    LET p == [s.progress[j] EXCEPT !.heard = TRUE]
        heard == [s EXCEPT !.progress[j] = p]
        isStale == CASE p.state = "snapshot" -> m.rejected # p.snapshot
                     [] p.state = "pipeline" -> m.rejected <= p.match
                     [] OTHER -> m.rejected # p.next - 1
        back == CASE p.state = "snapshot" -> [p EXCEPT !.state = "probe", !.snapshot = 0]
                  [] p.state = "pipeline" -> ToProbe(p)
                  [] OTHER -> [p EXCEPT !.next = Max(Min(m.rejected, m.last + 1), 1)]
        last == Min(m.last, LastOf(s.log))
        isMore == last > p.match
        ahead == [p EXCEPT !.match = Max(@, last), !.next = Max(@, last + 1)]
        state == CASE ahead.state = "snapshot" /\ ahead.match >= ahead.snapshot -> ToProbe(ahead)
                   [] ahead.state = "probe" -> [ahead EXCEPT !.state = "pipeline"]
                   [] OTHER -> ahead
        counted == Counted(i, [s EXCEPT !.progress[j] = IF isMore THEN state ELSE ahead])
    IN  IF s.role # "leader" \/ m.term < s.term THEN s
        ELSE IF m.term > s.term THEN Adopt(s, m.term)
        ELSE IF m.rejected > 0
             THEN IF isStale THEN heard ELSE Replicate([s EXCEPT !.progress[j] = back], j)
        ELSE IF ~isMore THEN [s EXCEPT !.progress[j] = ahead]
        ELSE Snapshotted(IF counted.progress[j].state = "pipeline" THEN Replicate(counted, j) ELSE counted)

HandleInstall(i, s, j, m) ==
    LET now == [IF m.term > s.term THEN Adopt(s, m.term) ELSE s EXCEPT !.leader = j, !.role = "follower", !.votes = {}]
        reply(t, rejected, last) == [type |-> "appended", term |-> t, rejected |-> rejected, last |-> last]
        localTerm == TermOf(s.log, m.last)
        isThere == s.log.snapIndex >= m.last \/ (localTerm # 0 /\ localTerm >= m.lastTerm)
    IN  IF m.term < s.term THEN Out(s, j, reply(s.term, m.last, LastOf(s.log)))
        ELSE IF isThere THEN Out(now, j, reply(m.term, 0, m.last))
        ELSE Out([now EXCEPT !.log = [offset |-> m.last, snapIndex |-> m.last, snapTerm |-> m.lastTerm, entries |-> <<>>],
                             !.stored = m.last, !.commit = m.last, !.values = m.values],
                 j, reply(m.term, 0, m.last))

Handle(i, s, j, m) ==
    CASE m.type = "vote" -> HandleVote(i, s, j, m)
      [] m.type = "voted" -> HandleVoted(i, s, j, m)
      [] m.type = "append" -> HandleAppend(i, s, j, m)
      [] m.type = "appended" -> HandleAppended(i, s, j, m)
      [] m.type = "install" -> HandleInstall(i, s, j, m)

-----------------------------------------------------------------------------
(* Sending. A message on a connection that is broken is lost, and only then  *)
(* the connection is made again; a leader probes then where it stands.       *)

Wire(s, m) ==
    IF m.type = "install"
    THEN m @@ [last |-> s.log.snapIndex, lastTerm |-> s.log.snapTerm, values |-> s.values]
    ELSE m

\* The node s, its links l, its pending messages p, and the network n.
SendOne(i, w, d) ==
    LET j == d.to
        m == Wire(w.s, d.body)
        canReach == AreConnected(w.n, i, j)
        dialled == IF canReach THEN "up" ELSE IF {i, j} \in w.n.cut THEN "dialling" ELSE "refused"
        p == w.s.progress[j]
        isBack == w.s.role = "leader" /\ m.type \in {"append", "install"}
        back == IF m.type = "append" THEN ToProbe(p) ELSE [p EXCEPT !.state = "probe", !.snapshot = 0]
    IN  CASE w.l[j] = "up" -> [w EXCEPT !.n = Send(@, i, j, m)]
          [] w.l[j] = "none" /\ canReach -> [w EXCEPT !.l[j] = "up", !.n = Send(@, i, j, m)]
          [] w.l[j] = "none" -> [w EXCEPT !.l[j] = dialled, !.p[j] = Append(@, m)]
          [] w.l[j] = "broken" -> [w EXCEPT !.l[j] = dialled, !.s = IF isBack THEN [@ EXCEPT !.progress[j] = back] ELSE @]
          [] OTHER -> [w EXCEPT !.p[j] = Append(@, m)]

RECURSIVE SendAll(_, _, _)
SendAll(i, w, ds) == IF ds = <<>> THEN w ELSE SendAll(i, SendOne(i, w, Head(ds)), Tail(ds))

\* What becomes of the node s and of the links, pending messages and network of w when s sends what it has to.
Sent(i, s, w) == SendAll(i, [s |-> [s EXCEPT !.out = <<>>], l |-> w.l, p |-> w.p, n |-> w.n], s.out)

\* The node i is s from now on.
BecomeNode(i, s) ==
    /\ term' = [term EXCEPT ![i] = s.term]
    /\ votedFor' = [votedFor EXCEPT ![i] = s.votedFor]
    /\ log' = [log EXCEPT ![i] = s.log]
    /\ stored' = [stored EXCEPT ![i] = s.stored]
    /\ commit' = [commit EXCEPT ![i] = s.commit]
    /\ values' = [values EXCEPT ![i] = s.values]
    /\ role' = [role EXCEPT ![i] = s.role]
    /\ leader' = [leader EXCEPT ![i] = s.leader]
    /\ votes' = [votes EXCEPT ![i] = s.votes]
    /\ progress' = [progress EXCEPT ![i] = s.progress]
    /\ ticks' = [ticks EXCEPT ![i] = s.ticks]

\* And so are its links, what waits for them, and the network.
Become(i, w) ==
    /\ BecomeNode(i, w.s)
    /\ link' = [link EXCEPT ![i] = w.l]
    /\ pending' = [pending EXCEPT ![i] = w.p]
    /\ net' = w.n

Do(i, s, n) == Become(i, Sent(i, s, [l |-> link[i], p |-> pending[i], n |-> n]))

-----------------------------------------------------------------------------
Init ==
    /\ term = [i \in Node |-> 1]
    /\ votedFor = [i \in Node |-> Nobody]
    /\ log = [i \in Node |-> [offset |-> 0, snapIndex |-> 0, snapTerm |-> 0, entries |-> <<FirstEntry>>]]
    /\ stored = [i \in Node |-> 1]
    /\ commit = [i \in Node |-> 1]
    /\ values = [i \in Node |-> <<>>]
    /\ role = [i \in Node |-> "follower"]
    /\ leader = [i \in Node |-> Nobody]
    /\ votes = [i \in Node |-> {}]
    /\ progress = [i \in Node |-> Follows]
    /\ ticks = [i \in Node |-> 0]
    /\ link = [i \in Node |-> [j \in Node |-> "none"]]
    /\ pending = [i \in Node |-> [j \in Node |-> <<>>]]
    /\ net = Connections
    /\ spent = [elections |-> 0, requests |-> 0, heartbeats |-> 0, cuts |-> 0, crashes |-> 0, powerFailures |-> 0, tears |-> 0]

Spend(what, most) == spent[what] < most /\ spent' = [spent EXCEPT ![what] = @ + 1]

\* When the clock of i goes on, it dials again where it was refused, and then does what is due. If it is refused again it keeps
\* three messages; a leader that loses entries so probes again.
Redialled(i) ==
    LET isUp(j) == link[i][j] = "refused" /\ AreConnected(net, i, j)
        isCut(j) == link[i][j] = "refused" /\ {i, j} \in net.cut
    IN  [l |-> [j \in Node |-> IF isUp(j) THEN "up" ELSE IF isCut(j) THEN "dialling" ELSE link[i][j]],
         p |-> [j \in Node |-> IF isUp(j) THEN <<>> ELSE pending[i][j]],
         n |-> SendEach(net, i, [j \in Node |-> IF isUp(j) THEN pending[i][j] ELSE <<>>])]

Trimmed(i, w) ==
    LET over(j) == IF link[i][j] = "refused" /\ w.l[j] = "refused" /\ Len(w.p[j]) > 3 THEN Len(w.p[j]) - 3 ELSE 0
        isLost(j) == w.s.role = "leader" /\ \E n \in 1..over(j) : w.p[j][n].type = "append"
    IN  [w EXCEPT !.p = [j \in Node |-> SubSeq(@[j], over(j) + 1, Len(@[j]))],
                  !.s = [@ EXCEPT !.progress = [j \in Node |-> IF isLost(j) THEN ToProbe(@[j]) ELSE @[j]]]]

\* The clock of i goes on until it stands for election.
Timeout(i) ==
    /\ Spend("elections", MaxElections)
    /\ IsUp(net, i) /\ role[i] # "leader"
    /\ LET isAsking == IF role[i] = "follower" THEN PreVote ELSE role[i] = "precandidate"
       IN  Become(i, Trimmed(i, Sent(i, Stand(i, NodeOf(i), isAsking), Redialled(i))))

\* The clock of the leader i goes on by one period. In every third it looks whether it heard a majority.
TicksToCheck == 3

Heartbeat(i) ==
    /\ Spend("heartbeats", MaxHeartbeats)
    /\ IsUp(net, i) /\ role[i] = "leader"
    /\ LET isCheck == ticks[i] + 1 = TicksToCheck
           heard == {i} \cup {j \in Others(i) : progress[i][j].heard}
           next == [NodeOf(i) EXCEPT !.ticks = IF isCheck THEN 0 ELSE @ + 1,
                               !.progress = [j \in Node |-> [@[j] EXCEPT !.sent = FALSE, !.heard = @ /\ ~isCheck]]]
           s == IF isCheck /\ ~IsMajority(heard) THEN Follow(NodeOf(i)) ELSE ReplicateTo(next, Others(i))
       IN  Become(i, Trimmed(i, Sent(i, s, Redialled(i))))

Receive(i, j) ==
    /\ IsUp(net, i) /\ IsWaiting(net, j, i)
    /\ Do(i, Handle(i, NodeOf(i), j, First(net, j, i)), Take(net, j, i))
    /\ UNCHANGED spent

\* A client asks the leader i, which sends the entry while it writes it.
Request(i, v) ==
    /\ Spend("requests", MaxRequests)
    /\ IsUp(net, i) /\ role[i] = "leader"
    /\ LET s == NodeOf(i)
           entry == IF v = Barrier THEN Entry(s.term, "barrier", 0) ELSE Entry(s.term, "command", v)
           added == [s EXCEPT !.log = [@ EXCEPT !.entries = Append(@, entry)]]
           sent == ReplicateTo(added, Others(i))
           counted == Counted(i, [sent EXCEPT !.stored = LastOf(sent.log)])
       IN  Do(i, Snapshotted(counted), net)

-----------------------------------------------------------------------------
\* The links between i and j break; what dialled does not notice.
Broken(l, pairs) ==
    [i \in Node |-> [j \in Node |-> IF {i, j} \in pairs /\ l[i][j] = "up" THEN "broken" ELSE l[i][j]]]

Cut(i, j) ==
    /\ Spend("cuts", MaxCuts)
    /\ i # j /\ AreConnected(net, i, j)
    /\ net' = CutPairs(net, {{i, j}})
    /\ link' = Broken(link, {{i, j}})
    /\ UNCHANGED <<nodeVars, pending>>

Heal ==
    /\ net.cut # {}
    /\ LET isMade(i, j) == {i, j} \in net.cut /\ link[i][j] = "dialling"
           sent == [i \in Node |-> [j \in Node |-> IF isMade(i, j) THEN pending[i][j] ELSE <<>>]]
       IN  /\ link' = [i \in Node |-> [j \in Node |-> IF isMade(i, j) THEN "up" ELSE link[i][j]]]
           /\ pending' = [i \in Node |-> [j \in Node |-> IF isMade(i, j) THEN <<>> ELSE pending[i][j]]]
           /\ net' = [HealAll(net) EXCEPT !.queue = [i \in Node |-> [j \in Node |-> @[i][j] \o sent[i][j]]]]
    /\ UNCHANGED <<nodeVars, spent>>

\* The links of a node that dies are whole before. Which entries before a snapshot a node still has when it starts again
\* depends on which files they were in: nodes with a snapshot do not die here.
CanDie(i) == IsUp(net, i) /\ (\A p \in net.cut : i \notin p) /\ log[i].snapIndex = 0

\* What i has after its next start is what it has from now on: term, vote and log of s.
Dies(i, s) ==
    /\ CanDie(i)
    /\ BecomeNode(i, [Follow(s) EXCEPT !.commit = 1, !.values = <<>>])
    /\ link' = [k \in Node |-> [j \in Node |-> IF k = i THEN "none"
                                               ELSE IF j = i /\ link[k][j] = "up" THEN "broken" ELSE link[k][j]]]
    /\ pending' = [pending EXCEPT ![i] = [j \in Node |-> <<>>]]
    /\ net' = Crashed(net, i)

Crash(i) == Spend("crashes", MaxCrashes) /\ Dies(i, NodeOf(i))

\* Whatever it did not sync is lost, and that is nothing.
PowerFail(i) == Spend("powerFailures", MaxPowerFailures) /\ Dies(i, NodeOf(i))

\* The node i dies while it writes entries from j: they are torn, and the term was written before.
Tear(i, j) ==
    /\ Spend("tears", MaxTears)
    /\ IsUp(net, i) /\ IsWaiting(net, j, i) /\ First(net, j, i).type = "append"
    /\ LET m == First(net, j, i)
           s == NodeOf(i)
           isMatching == m.prevIndex = 0 \/ TermOf(s.log, m.prevIndex) = m.prevTerm
       IN  /\ m.term >= s.term /\ isMatching
           /\ m.prevIndex + Kept(s, m) = LastOf(s.log) /\ Kept(s, m) < Len(m.entries)
           /\ Dies(i, IF m.term > s.term THEN Adopt(s, m.term) ELSE s)

Restart(i) ==
    /\ ~IsUp(net, i)
    /\ net' = Restarted(net, i)
    /\ UNCHANGED <<nodeVars, link, pending, spent>>

Next ==
    \/ \E i \in Node : Timeout(i) \/ Heartbeat(i) \/ Crash(i) \/ PowerFail(i) \/ Restart(i)
    \/ \E i \in Node, v \in Value : Request(i, v)
    \/ \E i, j \in Node : Receive(i, j) \/ Cut(i, j) \/ Tear(i, j)
    \/ Heal

Spec == Init /\ [][Next]_vars

FewUnderWay == UnderWay(net) <= MaxUnderWay
AnyName == Permutations(Node)

-----------------------------------------------------------------------------
(* What must hold. README.md says which repair each needs.                   *)

\* The term of the committed entry n of i, where i still knows it.
Knows(i, n) == n <= commit[i] /\ TermOf(log[i], n) # 0
IsPrefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
StaysLeader(i) == role[i] = "leader" /\ role'[i] = "leader" /\ term'[i] = term[i]

ElectionSafety ==
    \A i, j \in Node : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j

LogMatching ==
    \A i, j \in Node : \A n \in 1..Min(LastOf(log[i]), LastOf(log[j])) :
        LET s == TermOf(log[i], n)
        IN  s # 0 /\ s = TermOf(log[j], n) =>
                \A k \in 1..(n - 1) : 0 \in {TermOf(log[i], k), TermOf(log[j], k)} \/ TermOf(log[i], k) = TermOf(log[j], k)

\* What is applied anywhere is applied everywhere in this order.
StateMachineSafety == \A i, j \in Node : IsPrefix(values[i], values[j]) \/ IsPrefix(values[j], values[i])

CommittedAgree ==
    \A i, j \in Node : \A n \in 1..Min(commit[i], commit[j]) :
        Knows(i, n) /\ Knows(j, n) => TermOf(log[i], n) = TermOf(log[j], n)

\* What one node takes for safe, a majority has.
CommittedIsDurable ==
    \A i \in Node : \A n \in 1..commit[i] : Knows(i, n) =>
        IsMajority({j \in Node : TermOf(log[j], n) = TermOf(log[i], n) \/ log[j].snapIndex >= n})

LeaderCompleteness ==
    \A i, j \in Node : role[i] = "leader" /\ term[j] <= term[i] =>
        \A n \in 1..commit[j] : Knows(j, n) => TermOf(log[i], n) = TermOf(log[j], n) \/ log[i].snapIndex >= n

CommitWithinLog == \A i \in Node : commit[i] <= LastOf(log[i]) /\ stored[i] = LastOf(log[i])
NextAboveMatch == \A i, j \in Node : role[i] = "leader" /\ i # j => progress[i][j].next > progress[i][j].match

\* What a leader believes a follower to have, it has.
MatchIsTrue ==
    \A i, j \in Node : role[i] = "leader" /\ i # j /\ term[j] <= term[i] =>
        LET n == progress[i][j].match
        IN  n > 0 => n <= LastOf(log[j]) /\ (0 \in {TermOf(log[i], n), TermOf(log[j], n)} \/ TermOf(log[i], n) = TermOf(log[j], n))

CommitMonotonic == [][\A i \in Node : IsUp(net', i) => commit[i] <= commit'[i]]_vars
MatchMonotonic == [][\A i, j \in Node : StaysLeader(i) => progress[i][j].match <= progress'[i][j].match]_vars
TermMonotonic == [][\A i \in Node : term[i] <= term'[i]]_vars
VotesOnce ==
    [][\A i \in Node : term'[i] = term[i] /\ votedFor[i] # Nobody => votedFor'[i] = votedFor[i]]_vars
CommitsOwnTerm ==
    [][\A i \in Node : StaysLeader(i) /\ commit'[i] > commit[i] => TermOf(log'[i], commit'[i]) = term[i]]_vars
LeaderAppendsOnly == [][\A i \in Node : StaysLeader(i) => LastOf(log[i]) <= LastOf(log'[i])]_vars
\* What a client was told to be done stays.
CommittedStays ==
    [][\A i \in Node : \A n \in 1..commit[i] : Knows(i, n) => TermOf(log'[i], n) \in {0, TermOf(log[i], n)}
                                                             /\ n <= LastOf(log'[i])]_vars
=============================================================================
