-------------------------------- MODULE Etcd --------------------------------
(* What the members of an etcd cluster, releases 3.4 and 3.5, say to each    *)
(* other: elections, replication, and reads that are confirmed by a round of *)
(* heartbeats (ReadIndex). Messages have the names and fields of etcd's own. *)
(*                                                                           *)
(* Each action uses the variables of one server and the messages for it, so  *)
(* that the same specification can watch a running member. What a server     *)
(* receives is handled as etcd handles it, and answered with what etcd       *)
(* answers. When a leader sends, how much, and to whom first (its progress   *)
(* tracker, ticks, leases) is left open: nothing that is safe depends on it. *)
(* Not here: changes of the membership, and learners. README.md has more.    *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
    Server, Client, Data,
    None,         \* nobody
    Context,      \* what reads may be called
    Release,      \* "3.4" or "3.5": what a refusal says
    Bug,          \* "none", or one of Bugs
    Old,          \* Bug = "7280": the members that a candidate counts
    FirstIndex, FirstTerm,    \* the end of the log with which every server begins
    Transport,    \* whether what a server sends may leave later, or never
    Free,         \* whether a leader may send less than it could
    PreVote, Snapshots,
    Origins,      \* pairs of how the contexts of a server begin, and the server; as far as that is known
    Unique,       \* whether a context is used for one read alone
    Standing, Crashing, Reading,    \* the servers that stand for election, crash, are asked by clients
    MaxTerm, MaxLog, MaxBatch, MaxRestarts, MaxNet, MaxCopies,
    MaxOutbox,    \* how much of each type waits to be sent to one server
    MaxRecent,    \* for how many reads of each server a leader may still be sending messages
    Window        \* how much of what a server knows to be committed a crash takes back

VARIABLES
    term, vote,   \* on disk
    base, log,    \* on disk: base is [index, term] of what is before the first entry
    commit,       \* how much of the log is known to be committed
    saved,        \* how much of that is certainly on disk
    role,         \* "follower", "precandidate", "candidate" or "leader"
    lead,         \* whom the server takes for the leader
    votes,        \* who voted for a candidate
    match,        \* match[i][j]: how much of its log leader i knows to be in that of j
    queue,        \* reads that wait for heartbeats to be answered: [context, from, index, acks]
    early,        \* reads that wait for an entry of the leader's term to be committed: [context, from]
    reads,        \* reads of clients: [waiting, context, asking, granted]
    late,         \* the last term that the server led since it started; 0 without Transport
    led,          \* the term of the last entry, if the server led in it and nobody added more since; 0 without Transport
    recent,       \* what a leader did last for reads, and may still be sending: [asked, answered]; empty without Transport
    outbox,       \* outbox[i][j]: what i has for j and has not sent; empty without Transport
    net,          \* how often each message is under way
    decided,      \* ghost: all entries that were ever committed
    floor,        \* ghost: how much was committed when a client asked
    used,         \* ghost: contexts that were used
    restarts      \* ghost: how often servers crashed

durableVars == <<term, vote, base, log, commit, saved, led>>
leaderVars == <<votes, match, queue, late, recent>>
ghostVars == <<decided, floor, used, restarts>>
vars == <<durableVars, role, lead, leaderVars, early, reads, outbox, net, ghostVars>>

NoContext == ""
Transfer == "CampaignTransfer"
Unseen == "?"    \* the data of an entry that was not sent yet: with Transport it is chosen as it is sent

Bugs == {"none",
    "741",            \* reads are answered from what the server knows, and nobody is asked
    "7331",           \* a new leader takes its commit index for a read before it committed an entry of its own
    "7280",           \* a candidate counts the votes of an old configuration
    "12133",          \* the same, after MsgTimeoutNow alone
    "vote-twice",     \* a vote is given to whoever asks
    "stale-ack",      \* MsgHeartbeatResp counts for the last read, whatever its context is
    "old-term"}       \* entries of earlier terms are committed by counting

ASSUME Bug \in Bugs /\ Release \in {"3.4", "3.5"}

IsQuorum(Q) == 2 * Cardinality(Q) > Cardinality(Server)
Min(a, b) == IF a < b THEN a ELSE b
Max(a, b) == IF a < b THEN b ELSE a
Range(s) == {s[n] : n \in DOMAIN s}
Others(i) == Server \ {i}

-----------------------------------------------------------------------------
\* Logs, from the index base[i].index + 1 on.
Last(i) == base[i].index + Len(log[i])
TermAt(i, n) ==
    IF n = base[i].index THEN base[i].term
    ELSE IF n > base[i].index /\ n <= Last(i) THEN log[i][n - base[i].index].term ELSE 0
LastTerm(i) == TermAt(i, Last(i))
Entries(i, from, to) == SubSeq(log[i], from - base[i].index, to - base[i].index)
IsUpToDate(i, m) == m.logTerm > LastTerm(i) \/ (m.logTerm = LastTerm(i) /\ m.index >= Last(i))

-----------------------------------------------------------------------------
\* Messages. Every message has every field.
Message(type, i, j, t) ==
    [type |-> type, from |-> i, to |-> j, term |-> t, logTerm |-> 0, index |-> 0, entries |-> <<>>,
     commit |-> 0, reject |-> FALSE, rejectHint |-> 0, context |-> NoContext]

With(n, m) == IF m \in DOMAIN n THEN [n EXCEPT ![m] = @ + 1] ELSE n @@ (m :> 1)
Without(n, m) == IF n[m] > 1 THEN [n EXCEPT ![m] = @ - 1] ELSE [x \in DOMAIN n \ {m} |-> n[x]]

RECURSIVE WithAll(_, _)
WithAll(n, ms) == IF ms = <<>> THEN n ELSE WithAll(With(n, Head(ms)), Tail(ms))

RECURSIVE InOrder(_)
InOrder(S) == IF S = {} THEN <<>> ELSE LET x == CHOOSE x \in S : TRUE IN <<x>> \o InOrder(S \ {x})

\* The same for every other server.
ToOthers(i, Make(_)) == LET all == InOrder(Others(i)) IN [n \in DOMAIN all |-> Make(all[n])]

\* What waits for a server: the messages of each type in order, and so many that the oldest is lost where there are
\* more. Requests for votes of earlier terms are lost, too, and refusals.
Rank(m) ==
    CASE m.type = "MsgAppResp" -> 1 [] m.type = "MsgHeartbeatResp" -> 2 [] m.type = "MsgVoteResp" -> 3
      [] m.type = "MsgVote" -> 4 [] m.type = "MsgPreVote" -> 5 [] m.type = "MsgPreVoteResp" -> 6 [] OTHER -> 7
IsCurrent(m, t) ==
    m.term >= t \/ (m.type \notin {"MsgVote", "MsgPreVote"} /\ ~(m.type \in {"MsgVoteResp", "MsgPreVoteResp"} /\ m.reject))
Waiting(box, m, t) ==
    LET ofType == SelectSeq(box, LAMBDA x : Rank(x) = Rank(m) /\ IsCurrent(x, t)) \o <<m>>
        newest == SubSeq(ofType, Max(1, Len(ofType) - MaxOutbox + 1), Len(ofType))
    IN  SelectSeq(box, LAMBDA x : Rank(x) < Rank(m)) \o newest \o SelectSeq(box, LAMBDA x : Rank(x) > Rank(m) /\ IsCurrent(x, t))

RECURSIVE Queued(_, _, _)
Queued(box, ms, t) ==
    IF ms = <<>> THEN box
    ELSE LET m == Head(ms) IN Queued([box EXCEPT ![m.to] = Waiting(@, m, t)], Tail(ms), t)

\* Hands messages over to be sent by a server in term t, after `rest` is left of the network.
Send(i, t, rest, ms) ==
    /\ net' = IF Transport THEN rest ELSE WithAll(rest, ms)
    /\ outbox' = IF Transport /\ ms # <<>> THEN [outbox EXCEPT ![i] = Queued(@, ms, t)] ELSE outbox

Take(i, m) == m.to = i
AllAsked(i) == UNION {Range(recent[i].asked[j]) : j \in Server}
Answer(i, t, m, ms) == Send(i, t, Without(net, m), ms)
Consume(m) == net' = Without(net, m) /\ UNCHANGED outbox

\* The n-th message that waits for j leaves. Those of its type before it were lost.
Transmit(i, j, n) ==
    LET box == outbox[i][j]
        m == box[n]
        isLost(k) == k <= n /\ box[k].type = m.type
        kept == SelectSeq([k \in DOMAIN box |-> k], LAMBDA k : ~isLost(k))
    IN  /\ Transport
        /\ \A k \in 1..(n - 1) : box[k] # m
        /\ IsCurrent(m, term[i])
        /\ outbox' = [outbox EXCEPT ![i][j] = [k \in DOMAIN kept |-> box[kept[k]]]]
        /\ net' = With(net, m)
        /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, ghostVars>>

-----------------------------------------------------------------------------
NoReads == [waiting |-> {}, context |-> NoContext, asking |-> {}, granted |-> <<>>]
Nobody == [j \in Server |-> 0]
Nothing == [asked |-> [j \in Server |-> <<>>], answered |-> <<>>]

Init ==
    /\ term = [i \in Server |-> FirstTerm]
    /\ vote = [i \in Server |-> None]
    /\ base = [i \in Server |-> [index |-> FirstIndex, term |-> FirstTerm]]
    /\ log = [i \in Server |-> <<>>]
    /\ commit = [i \in Server |-> FirstIndex]
    /\ saved = [i \in Server |-> FirstIndex]
    /\ role = [i \in Server |-> "follower"]
    /\ lead = [i \in Server |-> None]
    /\ votes = [i \in Server |-> {}]
    /\ match = [i \in Server |-> Nobody]
    /\ queue = [i \in Server |-> <<>>]
    /\ early = [i \in Server |-> <<>>]
    /\ reads = [i \in Server |-> NoReads]
    /\ late = [i \in Server |-> 0]
    /\ led = [i \in Server |-> 0]
    /\ recent = [i \in Server |-> Nothing]
    /\ outbox = [i \in Server |-> [j \in Server |-> <<>>]]
    /\ net = <<>>
    /\ decided = <<>>
    /\ floor = [c \in Client |-> 0]
    /\ used = {}
    /\ restarts = 0

\* The server is a follower of l in term t. A server that led before may still have messages of its term on their way
\* out, also when it has answered another leader: they wait in other queues.
Follow(i, t, l) ==
    /\ term' = [term EXCEPT ![i] = t]
    /\ vote' = IF t > term[i] THEN [vote EXCEPT ![i] = None] ELSE vote
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ lead' = [lead EXCEPT ![i] = l]
    /\ votes' = [votes EXCEPT ![i] = {}]
    /\ queue' = [queue EXCEPT ![i] = <<>>]
    /\ match' = IF late[i] # 0 /\ l = None THEN match ELSE [match EXCEPT ![i] = Nobody]
    /\ UNCHANGED <<late, recent>>

\* A crash, and the start after it. Term, vote and log were on disk before anybody heard of them, but for what a
\* leader added: it sends that while it is being written. How much is committed is written with the next of these.
Start(i, c, n) ==
    /\ i \in Crashing
    /\ restarts < MaxRestarts
    /\ restarts' = restarts + 1
    /\ c >= saved[i] /\ n >= c
    /\ IF role[i] = "leader" \/ led[i] # 0 THEN \A k \in (n + 1)..Last(i) : TermAt(i, k) = (IF led[i] # 0 THEN led[i] ELSE term[i]) ELSE n = Last(i)
    /\ log' = [log EXCEPT ![i] = Entries(i, base[i].index + 1, n)]
    /\ commit' = [commit EXCEPT ![i] = c]
    /\ saved' = [saved EXCEPT ![i] = c]
    /\ role' = [role EXCEPT ![i] = "follower"]
    /\ lead' = [lead EXCEPT ![i] = None]
    /\ votes' = [votes EXCEPT ![i] = {}]
    /\ match' = [match EXCEPT ![i] = Nobody]
    /\ recent' = [recent EXCEPT ![i] = Nothing]
    /\ queue' = [queue EXCEPT ![i] = <<>>]
    /\ early' = [early EXCEPT ![i] = <<>>]
    /\ reads' = [reads EXCEPT ![i] = NoReads]
    /\ late' = [late EXCEPT ![i] = 0]
    /\ outbox' = [outbox EXCEPT ![i] = [j \in Server |-> <<>>]]
    /\ UNCHANGED <<term, vote, base, led, net, decided, floor, used>>

-----------------------------------------------------------------------------
\* Elections.

VoteRequest(i, t, context) ==
    ToOthers(i, LAMBDA j : [Message("MsgVote", i, j, t) EXCEPT
        !.index = Last(i), !.logTerm = LastTerm(i), !.context = context])

\* Whether the votes are enough. With a mistake, a server counts those of a configuration that is no more.
HasWon(i, Q, isCounted) ==
    IF isCounted THEN i \in Old /\ 2 * Cardinality(Q \cap Old) > Cardinality(Old) ELSE IsQuorum(Q)

Beginning(t) == [term |-> t, data |-> ""]

\* A server stands for election in term t, and leads at once if nobody else has a vote.
Stand(i, rest, t, context, isOld) ==
    LET wins == HasWon(i, {i}, isOld)
    IN  /\ term' = [term EXCEPT ![i] = t]
        /\ vote' = [vote EXCEPT ![i] = i]
        /\ saved' = [saved EXCEPT ![i] = commit[i]]
        /\ role' = [role EXCEPT ![i] = IF wins THEN "leader" ELSE "candidate"]
        /\ lead' = [lead EXCEPT ![i] = IF wins THEN i ELSE None]
        /\ votes' = [votes EXCEPT ![i] = {i}]
        /\ queue' = [queue EXCEPT ![i] = <<>>]
        /\ log' = IF wins THEN [log EXCEPT ![i] = Append(@, Beginning(t))] ELSE log
        /\ match' = IF late[i] # 0 /\ ~wins THEN match ELSE [match EXCEPT ![i] = Nobody]
        /\ late' = IF wins /\ Transport THEN [late EXCEPT ![i] = t] ELSE late
        /\ led' = IF wins /\ Transport THEN [led EXCEPT ![i] = t] ELSE led
        /\ recent' = IF wins THEN [recent EXCEPT ![i] = Nothing] ELSE recent
        /\ Send(i, t, rest, IF wins THEN <<>> ELSE VoteRequest(i, t, context))
        /\ UNCHANGED <<base, commit, early, reads, ghostVars>>

\* MsgHup, once or several times. A leader that has not heard from a quorum steps down first, which nobody sees.
Timeout(i, t) ==
    /\ i \in Standing
    /\ t > term[i]
    /\ Stand(i, net, t, NoContext, Bug = "7280")

HandleTimeoutNow(i, m) ==
    /\ Take(i, m)
    /\ m.type = "MsgTimeoutNow"
    /\ m.term > term[i] \/ (m.term = term[i] /\ role[i] = "follower")
    /\ Stand(i, Without(net, m), m.term + 1, Transfer, Bug \in {"7280", "12133"})

\* An election of which nobody is to take notice unless it can be won. A server stands without it, too, where it was
\* granted: the answers are not counted here.
AskBefore(i) ==
    LET ms == ToOthers(i, LAMBDA j : [Message("MsgPreVote", i, j, term[i] + 1) EXCEPT
                  !.index = Last(i), !.logTerm = LastTerm(i)])
    IN  /\ PreVote
        /\ i \in Standing
        /\ ~ \E j \in Others(i) : \E m \in Range(ms) : m \in Range(outbox[i][j])
        /\ role' = [role EXCEPT ![i] = "precandidate"]
        /\ lead' = [lead EXCEPT ![i] = None]
        /\ Send(i, term[i], net, ms)
        /\ UNCHANGED <<durableVars, leaderVars, early, reads, ghostVars>>

\* Within an election timeout of a leader's last message.
IgnoreVote(i, m) ==
    /\ Take(i, m)
    /\ m.type \in {"MsgVote", "MsgPreVote"}
    /\ m.term > term[i]
    /\ m.context # Transfer
    /\ lead[i] # None
    /\ Consume(m)
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, ghostVars>>

HandleVote(i, m) ==
    LET isNewer == m.term > term[i]
        given == IF isNewer THEN None ELSE vote[i]
        leader == IF isNewer THEN None ELSE lead[i]
        mayVote == given = m.from \/ (given = None /\ leader = None) \/ Bug = "vote-twice"
        grants == mayVote /\ IsUpToDate(i, m)
    IN  /\ Take(i, m)
        /\ m.type = "MsgVote"
        /\ m.term >= term[i]
        /\ term' = [term EXCEPT ![i] = m.term]
        /\ vote' = [vote EXCEPT ![i] = IF grants THEN m.from ELSE given]
        /\ saved' = IF isNewer \/ grants THEN [saved EXCEPT ![i] = commit[i]] ELSE saved
        /\ role' = IF isNewer THEN [role EXCEPT ![i] = "follower"] ELSE role
        /\ lead' = [lead EXCEPT ![i] = leader]
        /\ votes' = IF isNewer THEN [votes EXCEPT ![i] = {}] ELSE votes
        /\ queue' = IF isNewer THEN [queue EXCEPT ![i] = <<>>] ELSE queue
        /\ match' = IF isNewer /\ late[i] = 0 THEN [match EXCEPT ![i] = Nobody] ELSE match
        /\ Answer(i, m.term, m, <<[Message("MsgVoteResp", i, m.from, m.term) EXCEPT !.reject = ~grants]>>)
        /\ UNCHANGED <<base, log, commit, led, early, reads, late, recent, ghostVars>>

HandlePreVote(i, m) ==
    LET mayVote == vote[i] = m.from \/ (vote[i] = None /\ lead[i] = None) \/ m.term > term[i]
        grants == m.term >= term[i] /\ mayVote /\ IsUpToDate(i, m)
        resp == Message("MsgPreVoteResp", i, m.from, IF grants THEN m.term ELSE term[i])
    IN  /\ Take(i, m)
        /\ m.type = "MsgPreVote"
        /\ Answer(i, term[i], m, <<[resp EXCEPT !.reject = ~grants]>>)
        /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, ghostVars>>

\* The vote that makes a leader, and the empty entry with which it begins.
HandleVoteResp(i, m) ==
    LET Q == votes[i] \cup {m.from}
        wins == HasWon(i, Q, Bug = "7280" /\ i \in Old)
    IN  /\ Take(i, m)
        /\ m.type = "MsgVoteResp"
        /\ m.term = term[i] /\ role[i] = "candidate" /\ ~m.reject
        /\ votes' = [votes EXCEPT ![i] = IF wins THEN {} ELSE Q]
        /\ role' = IF wins THEN [role EXCEPT ![i] = "leader"] ELSE role
        /\ lead' = IF wins THEN [lead EXCEPT ![i] = i] ELSE lead
        /\ match' = IF wins THEN [match EXCEPT ![i] = Nobody] ELSE match
        /\ late' = IF wins /\ Transport THEN [late EXCEPT ![i] = term[i]] ELSE late
        /\ led' = IF wins /\ Transport THEN [led EXCEPT ![i] = term[i]] ELSE led
        /\ recent' = IF wins THEN [recent EXCEPT ![i] = Nothing] ELSE recent
        /\ log' = IF wins THEN [log EXCEPT ![i] = Append(@, Beginning(term[i]))] ELSE log
        /\ Consume(m)
        /\ UNCHANGED <<term, vote, base, commit, saved, queue, early, reads, ghostVars>>

\* A later term, in a message that says nothing else to a server in an earlier one.
StepUp(i, m) ==
    /\ Take(i, m)
    /\ m.term > term[i]
    /\ \/ m.type \in {"MsgVoteResp", "MsgAppResp", "MsgHeartbeatResp"}
       \/ m.type = "MsgPreVoteResp" /\ m.reject
    /\ Follow(i, m.term, None)
    /\ saved' = [saved EXCEPT ![i] = commit[i]]
    /\ Consume(m)
    /\ UNCHANGED <<base, log, commit, led, early, reads, ghostVars>>

-----------------------------------------------------------------------------
\* Replication.

\* A leader adds what clients ask for. With Transport, nobody knows of an entry before it is sent, or counted in an
\* answer, and until then it may as well not be there: so a server that led may still add one.
Propose(i, es) ==
    LET t == IF role[i] = "leader" THEN term[i] ELSE led[i]
    IN  /\ es # <<>>
        /\ t # 0 /\ LastTerm(i) = t
        /\ Last(i) + Len(es) <= FirstIndex + MaxLog
        /\ log' = [log EXCEPT ![i] = @ \o [n \in DOMAIN es |-> [term |-> t, data |-> es[n]]]]
        /\ UNCHANGED <<term, vote, base, commit, saved, led, role, lead, leaderVars, early, reads, outbox, net, ghostVars>>

\* The data of entries after p that nobody has seen is decided.
Show(i, p, ds) ==
    LET at(n) == n - (p - base[i].index)
        isNew(n) == log[i][n].data = Unseen /\ at(n) \in DOMAIN ds
        shown == [n \in DOMAIN log[i] |-> IF isNew(n) THEN [log[i][n] EXCEPT !.data = ds[at(n)]] ELSE log[i][n]]
        isUnseen(n) == n \in DOMAIN log[i] /\ log[i][n].data = Unseen
    IN  /\ Transport
        /\ p >= base[i].index
        /\ \E k \in DOMAIN ds : isUnseen(k + (p - base[i].index))
        /\ shown # log[i]
        /\ log' = [log EXCEPT ![i] = shown]
        /\ UNCHANGED <<term, vote, base, commit, saved, led, role, lead, leaderVars, early, reads, outbox, net, ghostVars>>

\* A leader of term t, or a server that led in it and may still have messages of it.
Leads(i, t) == (t = term[i] /\ role[i] = "leader") \/ (t # 0 /\ t = late[i])

SendAppend(i, j, t, p, n, c) ==
    /\ j # i /\ Leads(i, t)
    /\ p >= base[i].index /\ p + n <= Last(i) /\ TermAt(i, p + n) <= t
    /\ c <= commit[i]
    /\ Transport => \A k \in (p + 1)..(p + n) : log[i][k - base[i].index].data # Unseen
    /\ net' = With(net, [Message("MsgApp", i, j, t) EXCEPT
           !.index = p, !.logTerm = TermAt(i, p), !.entries = Entries(i, p + 1, p + n), !.commit = c])
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, outbox, ghostVars>>

\* The index and term of a snapshot are in `index` and `logTerm`.
SendSnapshot(i, j, t, p) ==
    /\ Snapshots
    /\ j # i /\ Leads(i, t)
    /\ p >= base[i].index /\ p <= commit[i] /\ p > 0
    /\ net' = With(net, [Message("MsgSnap", i, j, t) EXCEPT !.index = p, !.logTerm = TermAt(i, p)])
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, outbox, ghostVars>>

\* What a heartbeat to j may say of the commit index. What was known of j when the server led is forgotten later.
ToldCommit(i, j, t) == IF t = term[i] /\ role[i] = "leader" THEN Min(match[i][j], commit[i]) ELSE commit[i]

\* A heartbeat of a tick repeats the context of a read that waits. With Transport, the heartbeats with which a read
\* begins are sent here, too.
SendHeartbeat(i, j, t, c, x) ==
    /\ j # i /\ Leads(i, t)
    /\ c <= ToldCommit(i, j, t)
    /\ x = NoContext \/ (\E n \in DOMAIN queue[i] : queue[i][n].context = x) \/ x \in AllAsked(i)
    /\ net' = With(net, [Message("MsgHeartbeat", i, j, t) EXCEPT !.commit = c, !.context = x])
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, outbox, ghostVars>>

SendTimeoutNow(i, j, t) ==
    /\ j # i /\ Leads(i, t)
    /\ match[i][j] = Last(i) \/ Free
    /\ net' = With(net, Message("MsgTimeoutNow", i, j, t))
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, outbox, ghostVars>>

\* A leader of an earlier term hears of the later one.
HandleOldLeader(i, m) ==
    /\ Take(i, m)
    /\ m.type \in {"MsgApp", "MsgHeartbeat"}
    /\ m.term < term[i]
    /\ Answer(i, term[i], m, <<Message("MsgAppResp", i, m.from, term[i])>>)
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, ghostVars>>

IsFromLeader(i, m) == m.term > term[i] \/ (m.term = term[i] /\ role[i] # "leader")

\* Where a refused log may agree with that of the leader: 3.5 leaves out entries of later terms than the leader's.
Hint(i, m) ==
    LET at == Min(m.index, Last(i))
        fits == {n \in base[i].index..at : TermAt(i, n) <= m.logTerm}
        best == IF fits = {} THEN base[i].index ELSE CHOOSE n \in fits : \A k \in fits : k <= n
    IN  IF Release = "3.4" THEN [index |-> Last(i), term |-> 0] ELSE [index |-> best, term |-> TermAt(i, best)]

HandleApp(i, m) ==
    LET end == m.index + Len(m.entries)
        isOld == m.index < commit[i]
        agrees == TermAt(i, m.index) = m.logTerm
        differs == {n \in DOMAIN m.entries : TermAt(i, m.index + n) # m.entries[n].term}
        first == CHOOSE n \in differs : \A k \in differs : n <= k
        kept == Entries(i, base[i].index + 1, m.index + first - 1)
        changes == ~isOld /\ agrees /\ differs # {}
        resp == Message("MsgAppResp", i, m.from, m.term)
        hint == Hint(i, m)
        known == IF ~isOld /\ agrees THEN Max(commit[i], Min(m.commit, end)) ELSE commit[i]
    IN  /\ Take(i, m)
        /\ m.type = "MsgApp"
        /\ IsFromLeader(i, m)
        /\ Follow(i, m.term, m.from)
        /\ log' = IF changes
                  THEN [log EXCEPT ![i] = kept \o SubSeq(m.entries, first, Len(m.entries))] ELSE log
        /\ led' = IF changes THEN [led EXCEPT ![i] = 0] ELSE led
        /\ commit' = [commit EXCEPT ![i] = known]
        /\ saved' = IF changes \/ m.term > term[i] THEN [saved EXCEPT ![i] = known] ELSE saved
        /\ Answer(i, m.term, m, <<IF isOld THEN [resp EXCEPT !.index = commit[i]]
                          ELSE IF agrees THEN [resp EXCEPT !.index = end]
                          ELSE [resp EXCEPT !.index = m.index, !.reject = TRUE,
                                            !.rejectHint = hint.index, !.logTerm = hint.term]>>)
        /\ UNCHANGED <<base, early, reads, ghostVars>>

HandleHeartbeat(i, m) ==
    /\ Take(i, m)
    /\ m.type = "MsgHeartbeat"
    /\ IsFromLeader(i, m)
    /\ m.commit <= Last(i)
    /\ Follow(i, m.term, m.from)
    /\ commit' = [commit EXCEPT ![i] = Max(@, m.commit)]
    /\ saved' = IF m.term > term[i] THEN [saved EXCEPT ![i] = Max(commit[i], m.commit)] ELSE saved
    /\ Answer(i, m.term, m, <<[Message("MsgHeartbeatResp", i, m.from, m.term) EXCEPT !.context = m.context]>>)
    /\ UNCHANGED <<base, log, led, early, reads, ghostVars>>

HandleSnapshot(i, m) ==
    LET isOld == m.index <= commit[i]
        agrees == TermAt(i, m.index) = m.logTerm
        known == Max(commit[i], m.index)
    IN  /\ Take(i, m)
        /\ m.type = "MsgSnap"
        /\ IsFromLeader(i, m)
        /\ Follow(i, m.term, m.from)
        /\ base' = IF isOld \/ agrees THEN base
                   ELSE [base EXCEPT ![i] = [index |-> m.index, term |-> m.logTerm]]
        /\ log' = IF isOld \/ agrees THEN log ELSE [log EXCEPT ![i] = <<>>]
        /\ led' = IF isOld \/ agrees THEN led ELSE [led EXCEPT ![i] = 0]
        /\ commit' = [commit EXCEPT ![i] = known]
        /\ saved' = IF isOld /\ m.term = term[i] THEN saved ELSE [saved EXCEPT ![i] = known]
        /\ Answer(i, m.term, m, <<[Message("MsgAppResp", i, m.from, m.term) EXCEPT !.index = known]>>)
        /\ UNCHANGED <<early, reads, ghostVars>>

\* The most that a quorum has, the leader among them.
Agreed(i, matched) ==
    LET counts(n) == IsQuorum({j \in Others(i) : matched[j] >= n} \cup {i})
        all == {matched[j] : j \in Others(i)} \cup {commit[i]}
        fine == {n \in all : n = commit[i] \/ counts(n)}
    IN  CHOOSE n \in fine : \A k \in fine : k <= n

ContextHeartbeat(i, matched, known, x) ==
    ToOthers(i, LAMBDA j : [Message("MsgHeartbeat", i, j, term[i]) EXCEPT
        !.commit = Min(matched[j], known), !.context = x])

\* The last of what was done for reads.
Lately(s, more) == LET all == s \o more IN SubSeq(all, Max(1, Len(all) - MaxRecent + 1), Len(all))
Asked(i, rs) ==
    LET more(j) == SelectSeq([n \in DOMAIN rs |-> rs[n].context],
                             LAMBDA x : x \notin Range(recent[i].asked[j]) /\ \E r \in Range(rs) : r.context = x /\ r.from = j)
    IN  IF Transport /\ rs # <<>>
        THEN [recent EXCEPT ![i].asked = [j \in Server |-> Lately(@[j], more(j))]] ELSE recent

\* Reads in a leader's queue: what is asked a second time keeps its place and its index.
Enqueued(q, r) ==
    IF \E n \in DOMAIN q : q[n].context = r.context THEN q ELSE Append(q, r)

\* The index of a server's own read is in no message. With Transport, where more answers may have been received than
\* are known to be handled, it is left open.
ReadIndexOf(i, from, known) == IF Transport /\ from = i THEN 0 ELSE known

RECURSIVE EnqueuedAll(_, _, _, _)
EnqueuedAll(q, rs, i, known) ==
    IF rs = <<>> THEN q
    ELSE LET from == Head(rs).from
             r == [context |-> Head(rs).context, from |-> from, index |-> ReadIndexOf(i, from, known), acks |-> {i}]
         IN  EnqueuedAll(Enqueued(q, r), Tail(rs), i, known)

RECURSIVE Heartbeats(_, _, _, _)
Heartbeats(i, matched, known, rs) ==
    IF rs = <<>> \/ Transport THEN <<>>
    ELSE ContextHeartbeat(i, matched, known, Head(rs).context) \o Heartbeats(i, matched, known, Tail(rs))

HandleAppResp(i, m) ==
    LET matched == [match[i] EXCEPT ![m.from] = Max(@, m.index)]
        agreed == Agreed(i, matched)
        advances == agreed > commit[i] /\ (TermAt(i, agreed) = term[i] \/ Bug = "old-term")
        known == IF advances THEN agreed ELSE commit[i]
        released == IF advances THEN early[i] ELSE <<>>
    IN  /\ Take(i, m)
        /\ m.type = "MsgAppResp"
        /\ m.term = term[i] /\ role[i] = "leader"
        /\ ~m.reject /\ m.index > match[i][m.from] /\ m.index <= Last(i)
        /\ match' = [match EXCEPT ![i] = matched]
        /\ commit' = [commit EXCEPT ![i] = known]
        /\ queue' = IF released = <<>> THEN queue
                    ELSE [queue EXCEPT ![i] = EnqueuedAll(@, released, i, known)]
        /\ early' = IF released = <<>> THEN early ELSE [early EXCEPT ![i] = <<>>]
        /\ recent' = Asked(i, released)
        /\ Answer(i, term[i], m, Heartbeats(i, matched, known, released))
        /\ decided' = IF known > FirstIndex + Len(decided)
                      THEN decided \o Entries(i, FirstIndex + Len(decided) + 1, known) ELSE decided
        /\ UNCHANGED <<term, vote, base, log, saved, led, role, lead, votes, late, reads, floor, used, restarts>>

-----------------------------------------------------------------------------
\* Reads.

\* A client asks a server; the name of the read is its context.
Request(c, i) ==
    /\ i \in Reading
    /\ floor[c] = 0
    /\ floor' = [floor EXCEPT ![c] = FirstIndex + Len(decided) + 1]
    /\ net' = With(net, [Message("Range", c, i, 0) EXCEPT !.context = c])
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, outbox, decided, used, restarts>>

Receive(c, m) ==
    /\ m.to = c
    /\ m.type = "RangeResp"
    /\ net' = Without(net, m)
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, outbox, ghostVars>>

HandleRange(i, m) ==
    /\ Take(i, m)
    /\ m.type = "Range"
    /\ reads' = IF Bug = "741"
                THEN [reads EXCEPT ![i].granted = Lately(@, <<{[id |-> m.context, from |-> m.from, index |-> commit[i]]}>>)]
                ELSE [reads EXCEPT ![i].waiting = @ \cup {[id |-> m.context, from |-> m.from]}]
    /\ Consume(m)
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, ghostVars>>

HasCommittedInTerm(i) == TermAt(i, commit[i]) = term[i] \/ Bug = "7331"

\* What a leader does with a read of its own, or one that `from` sent.
ReadAsLeader(i, rest, from, x) ==
    LET r == [context |-> x, from |-> from, index |-> ReadIndexOf(i, from, commit[i]), acks |-> {i}]
    IN  IF HasCommittedInTerm(i)
        THEN /\ queue' = [queue EXCEPT ![i] = Enqueued(@, r)]
             /\ early' = early
             /\ recent' = Asked(i, <<r>>)
             /\ Send(i, term[i], rest, Heartbeats(i, match[i], commit[i], <<r>>))
        ELSE /\ queue' = queue
             /\ early' = [early EXCEPT ![i] = Append(@, [context |-> x, from |-> from])]
             /\ recent' = recent
             /\ Send(i, term[i], rest, <<>>)

Contexts(i) == {queue[i][n].context : n \in DOMAIN queue[i]} \cup {early[i][n].context : n \in DOMAIN early[i]}

\* A server begins a read for all clients that wait, or repeats the one that has begun.
AskIndex(i, x) ==
    LET isAgain == reads[i].context = x
        request == [Message("MsgReadIndex", i, lead[i], 0) EXCEPT !.context = x]
    IN  /\ x # NoContext
        /\ Free \/ reads[i].waiting # {} \/ isAgain
        /\ \A o \in Origins : SubSeq(x, 1, 2) = o[1] => o[2] = i
        /\ Unique => (x \notin used \/ isAgain)
        /\ used' = used \cup {x}
        /\ reads' = IF isAgain THEN reads
                    ELSE [reads EXCEPT ![i].context = x, ![i].asking = reads[i].waiting, ![i].waiting = {}]
        /\ \/ /\ role[i] = "leader"
              /\ x \notin Contexts(i)
              /\ ReadAsLeader(i, net, i, x)
           \/ /\ role[i] = "follower" /\ lead[i] # None
              /\ Transport => ~isAgain
              /\ Send(i, term[i], net, IF Transport THEN <<>> ELSE <<request>>)
              /\ UNCHANGED <<queue, early, recent>>
        /\ UNCHANGED <<durableVars, role, lead, votes, match, late, decided, floor, restarts>>

\* With Transport, the request is sent here, as often as it is repeated.
SendReadIndex(i) ==
    /\ Transport
    /\ reads[i].context # NoContext
    /\ role[i] = "follower" /\ lead[i] # None
    /\ net' = With(net, [Message("MsgReadIndex", i, lead[i], 0) EXCEPT !.context = reads[i].context])
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, outbox, ghostVars>>

HandleReadIndex(i, m) ==
    /\ Take(i, m)
    /\ m.type = "MsgReadIndex"
    /\ \/ /\ role[i] = "leader"
          /\ ReadAsLeader(i, Without(net, m), m.from, m.context)
       \/ /\ role[i] = "follower" /\ lead[i] # None
          /\ Answer(i, term[i], m, <<[m EXCEPT !.from = i, !.to = lead[i]]>>)
          /\ UNCHANGED <<queue, early, recent>>
    /\ UNCHANGED <<durableVars, role, lead, votes, match, late, reads, ghostVars>>

\* What was confirmed last. With Transport, more of it: an answer to a client may take longer than several rounds.
Confirmed(s, more) ==
    LET all == s \o more
        n == IF Transport THEN 2 * MaxRecent ELSE MaxRecent
    IN  SubSeq(all, Max(1, Len(all) - n + 1), Len(all))

\* The clients that asked before a confirmed read began may be answered.
Granted(r, x, n) ==
    IF x = NoContext \/ r.context # x THEN r
    ELSE [waiting |-> r.waiting, context |-> NoContext, asking |-> {},
          granted |-> IF r.asking = {} THEN r.granted
                      ELSE Confirmed(r.granted, <<{[id |-> c.id, from |-> c.from, index |-> n] : c \in r.asking}>>)]

ReadIndexResp(i, j, t, x, n) ==
    [Message("MsgReadIndexResp", i, j, t) EXCEPT !.index = n, !.context = x]

\* With Transport, what was confirmed is sent here.
SendReadIndexResp(i, m) ==
    /\ m \in Range(recent[i].answered)
    /\ net' = With(net, m)
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, outbox, ghostVars>>

\* An acknowledgement confirms a read, and those before it. Without a context it says nothing.
HandleHeartbeatResp(i, m) ==
    LET q == queue[i]
        isIt(n) == q[n].context = m.context \/ (Bug = "stale-ack" /\ n = Len(q))
        places == {n \in DOMAIN q : isIt(n)}
        at == CHOOSE n \in places : \A k \in places : k <= n
        acks == q[at].acks \cup {m.from}
        isConfirmed == IsQuorum(acks)
        done == SubSeq(q, 1, at)
        own == {n \in DOMAIN done : done[n].from = i /\ done[n].context = reads[i].context}
        others == SelectSeq(done, LAMBDA r : r.from # i)
        resps == [n \in DOMAIN others |-> ReadIndexResp(i, others[n].from, term[i], others[n].context, others[n].index)]
    IN  /\ Take(i, m)
        /\ m.type = "MsgHeartbeatResp"
        /\ m.term = term[i] /\ role[i] = "leader" /\ m.context # NoContext
        /\ places # {}
        /\ queue' = [queue EXCEPT ![i] = IF isConfirmed THEN SubSeq(q, at + 1, Len(q))
                                         ELSE [q EXCEPT ![at].acks = acks]]
        /\ reads' = IF isConfirmed /\ own # {}
                    THEN [reads EXCEPT ![i] = Granted(@, @.context, done[CHOOSE n \in own : TRUE].index)] ELSE reads
        /\ recent' = IF Transport /\ isConfirmed /\ resps # <<>>
                     THEN [recent EXCEPT ![i].answered = Lately(@, resps)] ELSE recent
        /\ Answer(i, term[i], m, IF isConfirmed /\ ~Transport THEN resps ELSE <<>>)
        /\ UNCHANGED <<durableVars, role, lead, votes, match, late, early, ghostVars>>

HandleReadIndexResp(i, m) ==
    /\ Take(i, m)
    /\ m.type = "MsgReadIndexResp"
    /\ m.term > term[i] \/ (m.term = term[i] /\ role[i] = "follower")
    /\ IF m.term > term[i]
       THEN Follow(i, m.term, None) /\ saved' = [saved EXCEPT ![i] = commit[i]]
       ELSE UNCHANGED <<term, vote, role, lead, leaderVars, saved>>
    /\ reads' = [reads EXCEPT ![i] = Granted(@, m.context, m.index)]
    /\ Consume(m)
    /\ UNCHANGED <<base, log, commit, led, early, ghostVars>>

AllGranted(i) == UNION Range(reads[i].granted)

\* What is confirmed is answered once it is applied.
AnswerClient(i, g) ==
    /\ g \in AllGranted(i)
    /\ g.index <= commit[i]
    /\ reads' = IF Transport THEN reads
                ELSE [reads EXCEPT ![i].granted = [n \in DOMAIN @ |-> @[n] \ {g}]]
    /\ net' = With(net, [Message("RangeResp", i, g.from, 0) EXCEPT !.context = g.id])
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, outbox, ghostVars>>

-----------------------------------------------------------------------------
\* Messages that change nothing.
IsPointless(i, m) ==
    \/ m.term < term[i] /\ m.type \in {"MsgVote", "MsgVoteResp", "MsgAppResp", "MsgHeartbeatResp", "MsgSnap",
                                       "MsgTimeoutNow", "MsgReadIndexResp", "MsgPreVoteResp"}
    \/ m.type = "MsgPreVoteResp" /\ (m.term = term[i] \/ ~m.reject)
    \/ m.term = term[i] /\ m.type = "MsgVoteResp" /\ (role[i] # "candidate" \/ m.reject)
    \/ m.term = term[i] /\ m.type = "MsgAppResp" /\ (role[i] # "leader" \/ m.reject \/ m.index <= match[i][m.from])
    \/ m.term = term[i] /\ m.type = "MsgHeartbeatResp"
          /\ (role[i] # "leader" \/ ~ \E n \in DOMAIN queue[i] : queue[i][n].context = m.context)
    \/ m.term = term[i] /\ m.type \in {"MsgTimeoutNow", "MsgReadIndexResp"} /\ role[i] # "follower"
    \/ m.type = "MsgReadIndex" /\ role[i] # "leader" /\ (role[i] # "follower" \/ lead[i] = None)

Ignore(i, m) ==
    /\ Take(i, m)
    /\ IsPointless(i, m)
    /\ Consume(m)
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, ghostVars>>

\* What the network does: it repeats messages. It loses them by never delivering them.
Repeat(m) ==
    /\ net[m] < MaxCopies
    /\ net' = With(net, m)
    /\ UNCHANGED <<durableVars, role, lead, leaderVars, early, reads, outbox, ghostVars>>

-----------------------------------------------------------------------------
\* What a leader sends of what it could send.
Prefixes(i) == base[i].index..Last(i)
Commits(n) == IF Free THEN 0..n ELSE {n}
AnyData == Data \cup (IF Transport THEN {Unseen, ""} ELSE {})
Proposed == IF Data = {} THEN Seq(STRING) ELSE UNION {[1..n -> AnyData] : n \in 1..MaxBatch}
Shown == IF Data = {} THEN Seq(STRING) ELSE UNION {[1..n -> Data \cup {""}] : n \in 1..MaxBatch}
LastContext(i) == IF queue[i] = <<>> THEN NoContext ELSE queue[i][Len(queue[i])].context
TermsLed(i) == (IF role[i] = "leader" THEN {term[i]} ELSE {}) \cup (IF late[i] = 0 THEN {} ELSE {late[i]})

Next ==
    \E i \in Server :
        \/ \E c \in Max(saved[i], commit[i] - Min(Window, commit[i]))..commit[i] : \E n \in commit[i]..Last(i) : Start(i, c, n)
        \/ \E t \in (term[i] + 1)..MaxTerm : Timeout(i, t)
        \/ AskBefore(i)
        \/ \E es \in Proposed : Propose(i, es)
        \/ \E p \in Prefixes(i), ds \in Shown : Show(i, p, ds)
        \/ \E j \in Server, t \in TermsLed(i), p \in Prefixes(i), n \in 0..MaxBatch, c \in Commits(commit[i]) :
               SendAppend(i, j, t, p, n, c)
        \/ \E j \in Server, t \in TermsLed(i), p \in Prefixes(i) : SendSnapshot(i, j, t, p)
        \/ \E j \in Server, t \in TermsLed(i) : \E c \in Commits(ToldCommit(i, j, t)), x \in {NoContext, LastContext(i)} \cup AllAsked(i) :
               SendHeartbeat(i, j, t, c, x)
        \/ \E j \in Server, t \in TermsLed(i) : SendTimeoutNow(i, j, t)
        \/ \E x \in IF Context = {} THEN STRING ELSE Context : AskIndex(i, x)
        \/ SendReadIndex(i)
        \/ \E m \in Range(recent[i].answered) : SendReadIndexResp(i, m)
        \/ \E g \in AllGranted(i) : AnswerClient(i, g)
        \/ \E j \in Server : \E n \in DOMAIN outbox[i][j] : Transmit(i, j, n)
        \/ \E m \in DOMAIN net :
               \/ HandleTimeoutNow(i, m) \/ IgnoreVote(i, m) \/ HandleVote(i, m) \/ HandlePreVote(i, m)
               \/ HandleVoteResp(i, m) \/ StepUp(i, m) \/ HandleOldLeader(i, m)
               \/ HandleApp(i, m) \/ HandleHeartbeat(i, m) \/ HandleSnapshot(i, m) \/ HandleAppResp(i, m)
               \/ HandleRange(i, m) \/ HandleReadIndex(i, m) \/ HandleHeartbeatResp(i, m)
               \/ HandleReadIndexResp(i, m) \/ Ignore(i, m)
        \/ \E c \in Client : Request(c, i)
        \/ \E m \in DOMAIN net : Repeat(m)
        \/ \E c \in Client : \E m \in DOMAIN net : Receive(c, m)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})

\* Bounds of a search.
IsSmall ==
    /\ Sum(net, DOMAIN net) <= MaxNet
    /\ \A m \in DOMAIN net : net[m] <= MaxCopies
    /\ \A i \in Server : term[i] <= MaxTerm /\ Last(i) <= FirstIndex + MaxLog /\ Len(early[i]) <= MaxCopies

OneLeaderPerTerm ==
    \A i, j \in Server : role[i] = "leader" /\ role[j] = "leader" /\ term[i] = term[j] => i = j

\* Two logs with an entry of the same index and term are the same up to it.
LogsMatch ==
    \A i, j \in Server : \A n \in (Max(base[i].index, base[j].index) + 1)..Min(Last(i), Last(j)) :
        TermAt(i, n) = TermAt(j, n)
        => \A k \in (Max(base[i].index, base[j].index) + 1)..n : Entries(i, k, k) = Entries(j, k, k)

Has(i, n) ==
    \/ n <= base[i].index
    \/ n <= Last(i) /\ LET e == log[i][n - base[i].index]
                           d == decided[n - FirstIndex]
                       IN  e.term = d.term /\ (e.data = d.data \/ Unseen \in {e.data, d.data})

\* What was committed is in the logs of a quorum,
CommittedIsKept ==
    \A n \in (FirstIndex + 1)..(FirstIndex + Len(decided)) : IsQuorum({i \in Server : Has(i, n)})

\* is what every server knows to be committed,
CommitIsDecided ==
    \A i \in Server :
        /\ commit[i] <= FirstIndex + Len(decided) /\ commit[i] <= Last(i)
        /\ \A n \in (FirstIndex + 1)..commit[i] : Has(i, n)

\* and in the log of every leader with no later one.
LeaderHasCommitted ==
    \A i \in Server :
        role[i] = "leader" /\ (\A j \in Server : role[j] = "leader" => term[j] <= term[i])
        => \A n \in (FirstIndex + 1)..(FirstIndex + Len(decided)) : Has(i, n)

\* A read sees at least what was committed when the client asked.
ReadsAreFresh ==
    ~Transport => \A i \in Server : \A g \in AllGranted(i) : g.index + 1 >= floor[g.id]

TermsGrow == [][\A i \in Server : term[i] <= term'[i]]_vars
OneVotePerTerm == [][\A i \in Server : term[i] = term'[i] /\ vote[i] # None => vote'[i] = vote[i]]_vars
CommitStays == [][\A i \in Server : commit'[i] >= commit[i] \/ restarts' > restarts]_vars
=============================================================================
