------------------------------ MODULE EtcdSteps ------------------------------
(* Etcd.tla in steps that members of etcd 3.4 can be made to take one by     *)
(* one. Each step is one of Etcd.tla, or changes nothing there. What that    *)
(* leaves open is as in the program: whom a leader sends what (its progress  *)
(* tracker), on which of its streams, which messages are lost with a         *)
(* connection or a process, and what is left of a commit index after a crash.*)
(* A cluster begins with a leader and a log that all members have.           *)
EXTENDS Etcd

CONSTANTS
    First,        \* the leader at the beginning
    Value,        \* what clients write
    MaxPuts, MaxBeats, MaxTimeouts, MaxBreaks, MaxTransfers

VARIABLES
    up,           \* members that run
    progress,     \* progress[i][j]: what leader i sends j next, and whether it may: [next, state]
    wire,         \* wire[i][j]: what is under way from i to j, for each stream in order
    link,         \* link[i][j]: for each stream, how many messages failed since it broke; Gone if i has no stream
    coder,        \* coder[i][j]: what the stream for entries leaves out, because it was said before
    todo,         \* what a member does next, before anything else happens
    durable,      \* how much is committed by what is on disk; at first that is not known
    publishing,   \* members that were started again, and propose their name as soon as there is a leader
    transferring, \* whom a leader hands over to
    started,      \* the last entry of a member when it was started again; 0 if it never was
    refused,      \* who refused a candidate its vote
    spent         \* how often things happened that are bounded

stepVars == <<up, progress, wire, link, coder, todo, durable, publishing, transferring, started, refused, spent>>
allVars == <<vars, stepVars>>

-----------------------------------------------------------------------------
\* Streams. A member has two connections to each other one, for entries and for everything else. Without one, it sends
\* a request for each message.
Streams == {"app", "message"}
Kinds == Streams \cup {"post"}
Gone == 3           \* the third message that cannot be written on a broken stream tells that it is
Working == [s \in Streams |-> 0]
NoStream == [s \in Streams |-> Gone]
Nowhere == [k \in Kinds |-> <<>>]
NothingSaid == [term |-> 0, index |-> 0]

StreamFor(m, l) ==
    IF m.type = "MsgApp" /\ l.app # Gone THEN "app" ELSE IF l.message # Gone THEN "message" ELSE "post"

\* A message as it can be seen. On the stream for entries much is left out of a message that goes on where the last one ended.
Seen(kind, w) ==
    LET m == w.message
        short == [Message("MsgApp", m.from, m.to, 0) EXCEPT !.entries = m.entries, !.commit = m.commit]
        x == IF w.isShort THEN short ELSE m
    IN  [stream |-> kind, short |-> w.isShort, type |-> x.type, term |-> x.term, logTerm |-> x.logTerm, index |-> x.index,
         entries |-> x.entries, commit |-> x.commit, reject |-> x.reject, rejectHint |-> x.rejectHint, context |-> x.context]

\* The state of the network after a message was sent. A leader that is told that a message was not sent probes.
Carry(s, m) ==
    LET i == m.from
        j == m.to
        l == s.link[i][j]
        kind == StreamFor(m, l)
        isShort == /\ kind = "app" /\ m.term = m.logTerm
                   /\ s.coder[i][j] = [term |-> m.term, index |-> m.index]
        said == [term |-> m.term, index |-> m.index + Len(m.entries)]
        isTold == kind = "post" \/ l[kind] = Gone - 1
        p == s.progress[i][j]
    IN  IF j \in up
        THEN [s EXCEPT !.wire[i][j][kind] = Append(@, [isShort |-> isShort, message |-> m]),
                       !.coder[i][j] = IF kind = "app" THEN said ELSE @]
        ELSE [s EXCEPT !.link[i][j] = IF kind = "post" THEN @ ELSE [@ EXCEPT ![kind] = @ + 1],
                       !.progress[i][j] = IF isTold /\ p.state = "replicate"
                                          THEN [next |-> s.match[i][j] + 1, state |-> "probe"] ELSE @]

RECURSIVE CarryAll(_, _)
CarryAll(s, ms) == IF ms = <<>> THEN s ELSE CarryAll(Carry(s, Head(ms)), Tail(ms))

\* Sends messages, when `p` is what is known of the members and `w` what is under way otherwise.
Dispatch(p, w, ms) ==
    LET s == CarryAll([wire |-> w, link |-> link, coder |-> coder, progress |-> p, match |-> match'], ms)
    IN  wire' = s.wire /\ link' = s.link /\ coder' = s.coder /\ progress' = s.progress

\* What a step of Etcd.tla sent.
SentBy(i) ==
    LET before(m) == IF m \in DOMAIN net THEN net[m] ELSE 0
    IN  InOrder({m \in DOMAIN net' : m.from = i /\ m.to \in Server /\ net'[m] > before(m)})

-----------------------------------------------------------------------------
\* What a leader sends of its log: everything from the next entry on. It waits for the answer to a probe.
RECURSIVE Appends(_, _, _, _, _)
Appends(i, lg, known, p, js) ==
    IF js = <<>> THEN [progress |-> p, messages |-> <<>>]
    ELSE LET j == Head(js)
             isPaused == p[j].state = "sent"
             at == p[j].next - base[i].index
             es == SubSeq(lg, at, Len(lg))
             m == [Message("MsgApp", i, j, term'[i]) EXCEPT
                       !.index = p[j].next - 1,
                       !.logTerm = IF at = 1 THEN base[i].term ELSE lg[at - 1].term,
                       !.entries = es, !.commit = known]
             q == CASE isPaused \/ es = <<>> -> p[j]
                    [] p[j].state = "replicate" -> [p[j] EXCEPT !.next = @ + Len(es)]
                    [] OTHER -> [p[j] EXCEPT !.state = "sent"]
             rest == Appends(i, lg, known, [p EXCEPT ![j] = q], Tail(js))
         IN  [rest EXCEPT !.messages = IF isPaused THEN @ ELSE <<m>> \o @]

\* What leader i knows of j after a message of it, and to whom it sends what it has.
Learned(i, m) ==
    LET j == m.from
        p == progress[i][j]
        hasMore == p.next <= Last(i)
        nothing == [progress |-> p, to |-> <<>>]
    IN  CASE m.type = "MsgAppResp" /\ m.reject /\ p.state = "replicate" ->
                 IF m.index <= match[i][j] THEN nothing
                 ELSE [progress |-> [next |-> match[i][j] + 1, state |-> "probe"], to |-> <<j>>]
          [] m.type = "MsgAppResp" /\ m.reject ->
                 IF p.next - 1 # m.index THEN nothing
                 ELSE [progress |-> [next |-> Max(1, Min(m.index, m.rejectHint + 1)), state |-> "probe"], to |-> <<j>>]
          [] m.type = "MsgAppResp" /\ m.index <= match[i][j] ->
                 [progress |-> [p EXCEPT !.next = Max(@, m.index + 1)], to |-> <<>>]
          [] m.type = "MsgAppResp" ->
                 LET next == IF p.state = "replicate" THEN Max(p.next, m.index + 1) ELSE m.index + 1
                 IN  [progress |-> [next |-> next, state |-> "replicate"],
                      to |-> IF commit'[i] > commit[i] THEN InOrder(Others(i))
                             ELSE IF p.state = "sent" \/ next <= Last(i) THEN <<j>> ELSE <<>>]
          [] m.type = "MsgHeartbeatResp" ->
                 [progress |-> [p EXCEPT !.state = IF @ = "sent" THEN "probe" ELSE @],
                  to |-> IF match[i][j] < Last(i) THEN <<j>> ELSE <<>>]
          [] OTHER -> nothing

-----------------------------------------------------------------------------
\* Nothing else happens while a member is not at rest.
IsPublishing(i) == i \in up /\ i \in publishing /\ lead[i] # None
IsBusy == todo # <<>> \/ \E i \in Server : IsPublishing(i)

\* What a member proposes that was started again: its name and its clients' addresses. It has no ear for clients before that is committed.
Published(i) == "published " \o i
Serves(i) ==
    IF started[i] = 0 THEN TRUE
    ELSE \E n \in (started[i] + 1)..commit[i] : log[i][n - base[i].index].data = Published(i)

\* With entries, a term or a vote, how much is committed is written, too.
Written(i) ==
    durable' = [durable EXCEPT ![i] = IF log'[i] # log[i] \/ term'[i] # term[i] \/ vote'[i] # vote[i]
                                      THEN commit'[i] ELSE @]

Led(i) == transferring' = IF role'[i] = "leader" THEN transferring ELSE [transferring EXCEPT ![i] = None]
Votes(i) == refused' = IF term'[i] # term[i] THEN [refused EXCEPT ![i] = {}] ELSE refused

\* A member does not take notice of a candidate while it hears of a leader.
IsInLease(i, m) == m.type = "MsgVote" /\ m.term > term[i] /\ m.context # Transfer /\ lead[i] # None

Handle(i, m) ==
    \/ HandleTimeoutNow(i, m)
    \/ IgnoreVote(i, m)
    \/ ~IsInLease(i, m) /\ HandleVote(i, m)
    \/ HandleVoteResp(i, m) \/ StepUp(i, m) \/ HandleOldLeader(i, m)
    \/ HandleApp(i, m) \/ HandleHeartbeat(i, m) \/ HandleAppResp(i, m)
    \/ HandleReadIndex(i, m) \/ HandleHeartbeatResp(i, m)
    \/ HandleReadIndexResp(i, m) \/ Ignore(i, m)

\* A member whose candidacy has ended would stand once more; a leader puts off reads until it has committed something.
IsLeftOut(i, m) ==
    \/ m.type = "MsgTimeoutNow" /\ role[i] = "candidate" /\ m.term = term[i]
    \/ m.type = "MsgReadIndex" /\ role[i] = "leader" /\ ~HasCommittedInTerm(i)

Deliver(j, i, kind) ==
    LET m == Head(wire[j][i][kind]).message
        rest == [wire EXCEPT ![j][i][kind] = Tail(@)]
        wins == role[i] = "candidate" /\ role'[i] = "leader"
        isLeading == role[i] = "leader" /\ role'[i] = "leader" /\ m.term = term[i]
        learned == Learned(i, m)
        beginning == [k \in Server |-> [next |-> Last(i) + 1, state |-> "probe"]]
        known == IF wins THEN beginning
                 ELSE IF isLeading THEN [progress[i] EXCEPT ![j] = learned.progress] ELSE progress[i]
        asked == IF wins THEN InOrder(Others(i)) ELSE IF isLeading THEN learned.to ELSE <<>>
        sends == Appends(i, log'[i], commit'[i], known, asked)
    IN  /\ ~IsBusy /\ i \in up
        /\ wire[j][i][kind] # <<>>
        /\ m.type # "MsgProp" /\ ~IsLeftOut(i, m)
        /\ Handle(i, m)
        /\ Dispatch([progress EXCEPT ![i] = sends.progress], rest, SentBy(i))
        /\ todo' = sends.messages
        /\ Written(i) /\ Led(i)
        /\ refused' = IF m.type = "MsgVoteResp" /\ m.reject /\ m.term = term[i] /\ role[i] = "candidate"
                      THEN [refused EXCEPT ![i] = @ \cup {j}]
                      ELSE IF term'[i] # term[i] THEN [refused EXCEPT ![i] = {}] ELSE refused
        /\ UNCHANGED <<up, publishing, started, spent>>

\* A leader sends what it has decided to.
SendNext ==
    LET m == Head(todo)
    IN  /\ todo # <<>>
        /\ \/ /\ m.type = "MsgApp"
              /\ SendAppend(m.from, m.to, m.term, m.index, Len(m.entries), m.commit)
           \/ /\ m.type = "MsgHeartbeat"
              /\ SendHeartbeat(m.from, m.to, m.term, m.commit, m.context)
        /\ Dispatch(progress, wire, <<m>>)
        /\ todo' = Tail(todo)
        /\ UNCHANGED <<up, durable, publishing, transferring, started, refused, spent>>

-----------------------------------------------------------------------------
\* A leader adds an entry, and sends it to all that do not have to answer a probe first.
Add(i, d, w) ==
    LET sends == Appends(i, log'[i], commit[i], progress[i], InOrder(Others(i)))
    IN  /\ Propose(i, <<d>>)
        /\ progress' = [progress EXCEPT ![i] = sends.progress]
        /\ todo' = sends.messages
        /\ Written(i)
        /\ wire' = w
        /\ UNCHANGED <<up, link, coder, transferring, started, refused>>

Put(i, d) ==
    /\ ~IsBusy /\ i \in up /\ Serves(i) /\ role[i] = "leader" /\ transferring[i] = None
    /\ spent.puts < MaxPuts
    /\ d \in Value
    /\ spent' = [spent EXCEPT !.puts = @ + 1]
    /\ Add(i, d, wire)
    /\ UNCHANGED publishing

Proposal(i, j, d) == [Message("MsgProp", i, j, 0) EXCEPT !.entries = <<[term |-> 0, data |-> d]>>]

\* A member that was started again tells its name: the leader by itself, another one through the leader.
Publish(i) ==
    /\ todo = <<>> /\ IsPublishing(i)
    /\ publishing' = publishing \ {i}
    /\ UNCHANGED spent
    /\ IF role[i] = "leader"
       THEN Add(i, Published(i), wire)
       ELSE /\ UNCHANGED vars
            /\ Dispatch(progress, wire, <<Proposal(i, lead[i], Published(i))>>)
            /\ UNCHANGED <<up, todo, durable, transferring, started, refused>>

\* A proposal that was passed on waits where there is no leader.
DeliverProposal(j, i, kind) ==
    LET m == Head(wire[j][i][kind]).message
        rest == [wire EXCEPT ![j][i][kind] = Tail(@)]
    IN  /\ ~IsBusy /\ i \in up
        /\ wire[j][i][kind] # <<>> /\ m.type = "MsgProp"
        /\ lead[i] # None
        /\ UNCHANGED <<publishing, spent>>
        /\ IF role[i] = "leader" /\ transferring[i] = None
           THEN Add(i, m.entries[1].data, rest)
           ELSE /\ UNCHANGED vars
                /\ IF role[i] = "leader" THEN wire' = rest /\ UNCHANGED <<link, coder, progress>>
                   ELSE Dispatch(progress, rest, <<Proposal(i, lead[i], m.entries[1].data)>>)
                /\ UNCHANGED <<up, todo, durable, transferring, started, refused>>

-----------------------------------------------------------------------------
\* While the clock of i moves, it dials those whose streams it does not have.
Redialled(l, i) == [j \in Server |-> IF j \in up \ {i} THEN [l[j] EXCEPT ![i] = Working] ELSE l[j]]
Redial(i) ==
    LET isNew(j) == j \in up \ {i} /\ link[j][i] # Working
    IN  /\ link' = Redialled(link, i)
        /\ coder' = [j \in Server |-> IF isNew(j) THEN [coder[j] EXCEPT ![i] = NothingSaid] ELSE coder[j]]

\* The clock of a leader ticks. It would show signs of life on streams to members that are gone, too, each of which fails like a message.
\* A member that was started again lets its clock tick faster once, when it sees all others.
Beat(i) ==
    LET others == InOrder(Others(i))
        heartbeat(j) == [Message("MsgHeartbeat", i, j, term[i]) EXCEPT
                             !.commit = Min(match[i][j], commit[i]), !.context = LastContext(i)]
    IN  /\ ~IsBusy /\ i \in up /\ role[i] = "leader"
        /\ spent.beats[i] < MaxBeats
        /\ \A j \in Server \ up : progress[i][j].state # "replicate"
        /\ i \notin spent.hurries
        /\ spent' = [spent EXCEPT !.beats[i] = @ + 1]
        /\ todo' = [n \in DOMAIN others |-> heartbeat(others[n])]
        /\ Redial(i)
        /\ UNCHANGED <<vars, up, progress, wire, durable, publishing, transferring, started, refused>>

\* A member has heard of no leader for an election timeout. It has no read that it would repeat meanwhile.
StandForElection(i) ==
    LET l == Redialled(link, i)
        s == CarryAll([wire |-> wire, link |-> l, coder |-> coder, progress |-> progress, match |-> match'], SentBy(i))
        isNew(j) == j \in up \ {i} /\ link[j][i] # Working
    IN  /\ ~IsBusy /\ i \in up /\ role[i] # "leader"
        /\ reads[i].context = NoContext
        /\ spent.timeouts[i] < MaxTimeouts
        /\ spent' = [spent EXCEPT !.timeouts[i] = @ + 1, !.hurries = IF up = Server THEN @ \ {i} ELSE @]
        /\ Timeout(i, term[i] + 1)
        /\ wire' = s.wire /\ link' = s.link /\ progress' = s.progress
        /\ coder' = [j \in Server |-> IF isNew(j) THEN [coder[j] EXCEPT ![i] = NothingSaid] ELSE coder[j]]
        /\ Written(i) /\ Led(i) /\ Votes(i)
        /\ UNCHANGED <<up, todo, publishing, started>>

\* A leader hands over to a member that has all that it has.
HandOver(i, j) ==
    /\ ~IsBusy /\ i \in up /\ Serves(i) /\ j \in up /\ role[i] = "leader" /\ transferring[i] = None
    /\ spent.transfers < MaxTransfers
    /\ match[i][j] = Last(i)
    /\ spent' = [spent EXCEPT !.transfers = @ + 1]
    /\ SendTimeoutNow(i, j, term[i])
    /\ transferring' = [transferring EXCEPT ![i] = j]
    /\ Dispatch(progress, wire, SentBy(i))
    /\ UNCHANGED <<up, todo, durable, publishing, started, refused>>

-----------------------------------------------------------------------------
\* A client reads: the member asks the leader how much is committed. Where something of this term is committed, it is asked once.
Read(c, i) ==
    /\ ~IsBusy /\ i \in up /\ Serves(i)
    /\ role[i] \in {"leader", "follower"} /\ lead[i] # None /\ HasCommittedInTerm(i)
    /\ reads[i] = NoReads
    /\ Request(c, i)
    /\ todo' = <<[type |-> "Range", at |-> i]>>
    /\ UNCHANGED <<up, progress, wire, link, coder, durable, publishing, transferring, started, refused, spent>>

TakeRead ==
    /\ todo # <<>> /\ Head(todo).type = "Range"
    /\ LET i == Head(todo).at
       IN  \E m \in {x \in DOMAIN net : x.type = "Range" /\ x.to = i} : HandleRange(i, m)
    /\ todo' = <<[type |-> "AskIndex", at |-> Head(todo).at]>>
    /\ UNCHANGED <<up, progress, wire, link, coder, durable, publishing, transferring, started, refused, spent>>

\* Contexts of a member are numbered.
ContextName(i, n) == i \o "/" \o ToString(n)

BeginRead ==
    LET i == Head(todo).at
    IN  /\ todo # <<>> /\ Head(todo).type = "AskIndex"
        /\ AskIndex(i, ContextName(i, spent.reads[i] + 1))
        /\ spent' = [spent EXCEPT !.reads[i] = @ + 1]
        /\ Dispatch(progress, wire, SentBy(i))
        /\ todo' = <<>>
        /\ UNCHANGED <<up, durable, publishing, transferring, started, refused>>

-----------------------------------------------------------------------------
\* Faults.

Unwired(w, i) == [j \in Server |-> [k \in Server |-> IF i \in {j, k} THEN Nowhere ELSE w[j][k]]]

Crash(i) ==
    /\ ~IsBusy /\ i \in up \cap Crashing
    /\ Cardinality(Server \ up) + restarts < MaxRestarts
    /\ durable[i] >= FirstIndex
    /\ up' = up \ {i}
    /\ wire' = Unwired(wire, i)
    /\ publishing' = publishing \ {i}
    /\ UNCHANGED <<vars, progress, link, coder, todo, durable, transferring, started, refused, spent>>

\* What is not on disk is lost. The member dials the others at once; they dial it when their clocks move.
Restart(i) ==
    LET isTo(j, k) == k = i /\ j \in up
    IN  /\ ~IsBusy /\ i \notin up
        /\ Start(i, durable[i], Last(i))
        /\ up' = up \cup {i}
        /\ link' = [j \in Server |-> [k \in Server |-> IF isTo(j, k) THEN Working
                                                       ELSE IF j = i THEN NoStream ELSE link[j][k]]]
        /\ coder' = [j \in Server |-> [k \in Server |-> IF i \in {j, k} THEN NothingSaid ELSE coder[j][k]]]
        /\ publishing' = publishing \cup {i}
        /\ transferring' = [transferring EXCEPT ![i] = None]
        /\ started' = [started EXCEPT ![i] = Last(i)]
        /\ refused' = [refused EXCEPT ![i] = {}]
        /\ spent' = [spent EXCEPT !.isBroken = @ \cup {{i, j} : j \in Others(i)}, !.hurries = @ \cup {i}]
        /\ UNCHANGED <<progress, wire, todo, durable>>

\* All connections between two members break, and are made again: what was under way is lost.
Break(i, j) ==
    /\ ~IsBusy /\ i \in up /\ j \in up /\ i # j
    /\ spent.breaks < MaxBreaks /\ {i, j} \notin spent.isBroken
    /\ link[i][j] = Working /\ link[j][i] = Working
    /\ spent' = [spent EXCEPT !.breaks = @ + 1, !.isBroken = @ \cup {{i, j}}]
    /\ wire' = [wire EXCEPT ![i][j] = Nowhere, ![j][i] = Nowhere]
    /\ coder' = [coder EXCEPT ![i][j] = NothingSaid, ![j][i] = NothingSaid]
    /\ UNCHANGED <<vars, up, progress, link, todo, durable, publishing, transferring, started, refused>>

-----------------------------------------------------------------------------
StepsInit ==
    /\ term = [i \in Server |-> FirstTerm]
    /\ vote = [i \in Server |-> First]
    /\ base = [i \in Server |-> [index |-> FirstIndex, term |-> FirstTerm]]
    /\ log = [i \in Server |-> <<>>]
    /\ commit = [i \in Server |-> FirstIndex]
    /\ saved = [i \in Server |-> 0]
    /\ role = [i \in Server |-> IF i = First THEN "leader" ELSE "follower"]
    /\ lead = [i \in Server |-> First]
    /\ votes = [i \in Server |-> {}]
    /\ match = [i \in Server |-> [j \in Server |-> IF i = First /\ j # i THEN FirstIndex ELSE 0]]
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
    /\ up = Server
    /\ progress = [i \in Server |-> [j \in Server |-> [next |-> FirstIndex + 1, state |-> "replicate"]]]
    /\ wire = [i \in Server |-> [j \in Server |-> Nowhere]]
    /\ link = [i \in Server |-> [j \in Server |-> Working]]
    /\ coder = [i \in Server |-> [j \in Server |-> IF i = First THEN [term |-> FirstTerm, index |-> FirstIndex] ELSE NothingSaid]]
    /\ todo = <<>>
    /\ durable = [i \in Server |-> 0]
    /\ publishing = {}
    /\ transferring = [i \in Server |-> None]
    /\ started = [i \in Server |-> 0]
    /\ refused = [i \in Server |-> {}]
    /\ spent = [puts |-> 0, breaks |-> 0, transfers |-> 0, isBroken |-> {}, hurries |-> {},
                beats |-> [i \in Server |-> 0], timeouts |-> [i \in Server |-> 0], reads |-> [i \in Server |-> 0]]

StepsNext ==
    \/ SendNext
    \/ TakeRead
    \/ BeginRead
    \/ \E i \in Server :
        \/ Publish(i) \/ Beat(i) \/ StandForElection(i) \/ Crash(i) \/ Restart(i)
        \/ \E d \in Value : Put(i, d)
        \/ \E c \in Client : Read(c, i)
        \/ \E j \in Server \ {i} : \E kind \in Kinds : Deliver(j, i, kind) \/ DeliverProposal(j, i, kind)
        \/ \E j \in Server \ {i} : HandOver(i, j) \/ Break(i, j)

StepsSpec == StepsInit /\ [][StepsNext]_allVars

\* Each step is one of Etcd.tla.
AreStepsOfEtcd == [][Next]_vars
=============================================================================
