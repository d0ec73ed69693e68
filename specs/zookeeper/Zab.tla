--------------------------------- MODULE Zab ---------------------------------
(* The Zab protocol with a leader oracle, after the paper of 2011: discovery,  *)
(* synchronization, broadcast. Whole histories travel in messages, and the     *)
(* oracle names a leader when a quorum looks for one.                          *)
(*                                                                             *)
(* NewLeaderOrder says how a follower takes in NEWLEADER: "atomic" as in the   *)
(* paper, "history first" as ZooKeeper does since 3.9.3 (safe), or             *)
(* "epoch first" as ZooKeeper did before (not safe, ZK-4643).                  *)
(* LogsApart says whether a leader logs a transaction and sends it in two      *)
(* steps, between which a follower may come back.                              *)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Server,           \* natural numbers
    NewLeaderOrder,
    LogsApart,
    MaxEpoch, MaxTransactions, MaxTimeouts, MaxRestarts

ASSUME NewLeaderOrder \in {"atomic", "history first", "epoch first"}
ASSUME LogsApart \in BOOLEAN

VARIABLES
    oracle,         \* the leader that the oracle names
    role,           \* "looking", "following", "leading"
    phase,          \* "election", "discovery", "synchronization", "broadcast"
    leaderOf,       \* whom a server follows
    acceptedEpoch,  \* f.p: the last NEWEPOCH accepted
    currentEpoch,   \* f.a: the last NEWLEADER accepted
    history,        \* h_f: the zxids of the transactions accepted
    committed,      \* how much of it is delivered; 0 for a server that looks for a leader
    halfDone,       \* whether a follower has done the first half of NEWLEADER
    \* A leader.
    cepochs,        \* cepochs[l][f]: the epoch in CEPOCH; -1 before
    ackEpochs,      \* ackEpochs[l][f]: what came with ACKEPOCH; NoAck before
    synced,         \* who has been sent NEWLEADER, and gets proposals
    ackLeaders,     \* who has acknowledged NEWLEADER
    acked,          \* acked[l][f]: how much of the history f has acknowledged
    unsent,         \* whether the newest transaction of a leader is logged and not sent
    informed,       \* who has got that with NEWLEADER
    messages,       \* messages[i][j]: from i to j, oldest first
    spent,
    epochs,         \* ghost: epochs[e]: who led e, with which history it began, and how much was proposed
    committedLog    \* ghost: the longest sequence that a leader committed

vars == <<oracle, role, phase, leaderOf, acceptedEpoch, currentEpoch, history, committed, halfDone, cepochs, ackEpochs, synced,
          ackLeaders, acked, unsent, informed, messages, spent, epochs, committedLog>>
onDisk == <<acceptedEpoch, currentEpoch, history>>
ofLeader == <<cepochs, ackEpochs, synced, ackLeaders, acked>>
ofSending == <<unsent, informed>>
ofRole == <<oracle, role, phase, leaderOf, spent>>
ghosts == <<epochs, committedLog>>

-----------------------------------------------------------------------------
Nobody == -1
IsQuorum(S) == 2 * Cardinality(S) > Cardinality(Server)
Max(S) == CHOOSE x \in S : \A y \in S : y <= x
\* 102 is epoch 1, counter 2.
MakeZxid(epoch, counter) == epoch * 100 + counter
EpochOf(zxid) == zxid \div 100
CounterOf(zxid) == zxid % 100
LastZxid(s) == IF s = <<>> THEN 0 ELSE s[Len(s)]
IsPrefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))

NoAck == [epoch |-> -1, history |-> <<>>]
NoEpoch == [leaders |-> {}, initial |-> <<>>, proposed |-> 0]
Nothing == [i \in Server |-> <<>>]
Message(type, epoch, log) == [type |-> type, epoch |-> epoch, history |-> log]
IsHead(i, j, type) == messages[i][j] # <<>> /\ Head(messages[i][j]).type = type
SendTo(net, i, j, message) == [net EXCEPT ![i][j] = Append(@, message)]
Reply(i, j, message) == [messages EXCEPT ![i][j] = Tail(@), ![j][i] = Append(@, message)]
SendToAll(net, l, S, message) ==
    [net EXCEPT ![l] = [f \in Server |-> IF f \in S THEN Append(@[f], message) ELSE @[f]]]

Init ==
    /\ oracle = Nobody
    /\ role = [i \in Server |-> "looking"]
    /\ phase = [i \in Server |-> "election"]
    /\ leaderOf = [i \in Server |-> Nobody]
    /\ acceptedEpoch = [i \in Server |-> 0]
    /\ currentEpoch = [i \in Server |-> 0]
    /\ history = Nothing
    /\ committed = [i \in Server |-> 0]
    /\ halfDone = [i \in Server |-> FALSE]
    /\ cepochs = [l \in Server |-> [f \in Server |-> -1]]
    /\ ackEpochs = [l \in Server |-> [f \in Server |-> NoAck]]
    /\ synced = [l \in Server |-> {}]
    /\ ackLeaders = [l \in Server |-> {}]
    /\ acked = [l \in Server |-> [f \in Server |-> 0]]
    /\ unsent = [l \in Server |-> FALSE]
    /\ informed = [l \in Server |-> {}]
    /\ messages = [i \in Server |-> Nothing]
    /\ spent = [transactions |-> 0, timeouts |-> 0, restarts |-> 0]
    /\ epochs = [e \in 1..MaxEpoch |-> NoEpoch]
    /\ committedLog = <<>>

-----------------------------------------------------------------------------
(* Election: the oracle.                                                       *)

\* The oracle names a leader when a quorum looks for one. The leader counts as its own follower.
Elect(l) ==
    /\ role[l] = "looking"
    /\ IsQuorum({i \in Server : role[i] = "looking"})
    /\ oracle' = l
    /\ role' = [role EXCEPT ![l] = "leading"]
    /\ phase' = [phase EXCEPT ![l] = "discovery"]
    /\ leaderOf' = [leaderOf EXCEPT ![l] = l]
    /\ cepochs' = [cepochs EXCEPT ![l][l] = acceptedEpoch[l]]
    /\ UNCHANGED <<ofSending, onDisk, committed, halfDone, ackEpochs, synced, ackLeaders, acked, messages, spent, ghosts>>

\* f.1.1: a follower finds the leader, and sends CEPOCH.
FollowLeader(f) ==
    /\ role[f] = "looking"
    /\ oracle # Nobody /\ oracle # f
    /\ role[oracle] = "leading"
    /\ role' = [role EXCEPT ![f] = "following"]
    /\ phase' = [phase EXCEPT ![f] = "discovery"]
    /\ leaderOf' = [leaderOf EXCEPT ![f] = oracle]
    /\ messages' = SendTo(messages, f, oracle, Message("CEPOCH", acceptedEpoch[f], <<>>))
    /\ UNCHANGED <<ofSending, oracle, onDisk, committed, halfDone, ofLeader, spent, ghosts>>

-----------------------------------------------------------------------------
(* Discovery.                                                                  *)

\* l.1.1: with a quorum of CEPOCHs the leader chooses an epoch greater than all and sends NEWEPOCH; later it answers at once.
HasEpoch(l) == phase[l] # "discovery" \/ ackEpochs[l][l] # NoAck
ReceiveCEpoch(l, f) ==
    LET known == [cepochs[l] EXCEPT ![f] = Head(messages[f][l]).epoch]
        heard == {i \in Server : known[i] # -1}
        isFirst == ~HasEpoch(l) /\ IsQuorum(heard)
        epoch == IF isFirst THEN Max({known[i] : i \in heard}) + 1 ELSE acceptedEpoch[l]
        told == IF isFirst THEN heard \ {l} ELSE IF HasEpoch(l) THEN {f} ELSE {}
        taken == [messages EXCEPT ![f][l] = Tail(@)]
    IN  /\ role[l] = "leading"
        /\ IsHead(f, l, "CEPOCH")
        /\ epoch <= MaxEpoch
        /\ cepochs' = [cepochs EXCEPT ![l] = known]
        /\ acceptedEpoch' = [acceptedEpoch EXCEPT ![l] = epoch]
        /\ ackEpochs' = [ackEpochs EXCEPT ![l][l] =
               IF isFirst THEN [epoch |-> currentEpoch[l], history |-> history[l]] ELSE @]
        /\ messages' = SendToAll(taken, l, told, Message("NEWEPOCH", epoch, <<>>))
        /\ UNCHANGED <<ofSending, ofRole, currentEpoch, history, committed, halfDone, synced, ackLeaders, acked, ghosts>>

\* f.1.2: the follower accepts an epoch that is not less than the last it accepted.
ReceiveNewEpoch(f) ==
    LET l == leaderOf[f]
        epoch == Head(messages[l][f]).epoch
    IN  /\ role[f] = "following"
        /\ IsHead(l, f, "NEWEPOCH")
        /\ epoch >= acceptedEpoch[f]
        /\ acceptedEpoch' = [acceptedEpoch EXCEPT ![f] = epoch]
        /\ phase' = [phase EXCEPT ![f] = "synchronization"]
        /\ messages' = Reply(l, f, Message("ACKEPOCH", currentEpoch[f], history[f]))
        /\ UNCHANGED <<ofSending, oracle, role, leaderOf, spent, currentEpoch, history, committed, halfDone, ofLeader, ghosts>>

\* l.1.2, l.2.1: with a quorum of ACKEPOCHs the leader takes the best history, and sends it with NEWLEADER. Who comes later gets the
\* history as it is by then.
IsBetter(a, b) == a.epoch > b.epoch \/ (a.epoch = b.epoch /\ LastZxid(a.history) >= LastZxid(b.history))
ReceiveAckEpoch(l, f) ==
    LET message == Head(messages[f][l])
        known == [ackEpochs[l] EXCEPT ![f] = [epoch |-> message.epoch, history |-> message.history]]
        heard == {i \in Server : known[i] # NoAck}
        isFirst == phase[l] = "discovery" /\ IsQuorum(heard)
        best == CHOOSE i \in heard : \A j \in heard : IsBetter(known[i], known[j])
        log == IF isFirst THEN known[best].history ELSE history[l]
        told == IF isFirst THEN heard \ {l} ELSE IF phase[l] = "discovery" THEN {} ELSE {f}
        taken == [messages EXCEPT ![f][l] = Tail(@)]
    IN  /\ role[l] = "leading"
        /\ IsHead(f, l, "ACKEPOCH")
        /\ ackEpochs' = [ackEpochs EXCEPT ![l] = known]
        /\ phase' = [phase EXCEPT ![l] = IF isFirst THEN "synchronization" ELSE @]
        /\ history' = [history EXCEPT ![l] = log]
        /\ currentEpoch' = [currentEpoch EXCEPT ![l] = IF isFirst THEN acceptedEpoch[l] ELSE @]
        /\ synced' = [synced EXCEPT ![l] = @ \cup told]
        /\ ackLeaders' = [ackLeaders EXCEPT ![l] = IF isFirst THEN {l} ELSE @]
        /\ informed' = [informed EXCEPT ![l] = IF unsent[l] THEN @ \cup told ELSE @]
        /\ messages' = SendToAll(taken, l, told, Message("NEWLEADER", acceptedEpoch[l], log))
        /\ UNCHANGED <<oracle, role, leaderOf, spent, acceptedEpoch, committed, halfDone, cepochs, acked, unsent, ghosts>>

-----------------------------------------------------------------------------
(* Synchronization.                                                            *)

\* f.2.1 in one step, or in two where a restart may come in between.
ReceiveNewLeader(f) ==
    LET l == leaderOf[f]
        message == Head(messages[l][f])
        ends == NewLeaderOrder = "atomic" \/ halfDone[f]
        writesHistory == NewLeaderOrder = "atomic" \/ (NewLeaderOrder = "history first") = ~halfDone[f]
        writesEpoch == NewLeaderOrder = "atomic" \/ (NewLeaderOrder = "epoch first") = ~halfDone[f]
    IN  /\ role[f] = "following"
        /\ IsHead(l, f, "NEWLEADER")
        /\ message.epoch = acceptedEpoch[f]
        /\ history' = [history EXCEPT ![f] = IF writesHistory THEN message.history ELSE @]
        /\ currentEpoch' = [currentEpoch EXCEPT ![f] = IF writesEpoch THEN message.epoch ELSE @]
        /\ halfDone' = [halfDone EXCEPT ![f] = ~ends]
        /\ messages' = IF ends THEN Reply(l, f, Message("ACKLD", message.epoch, message.history)) ELSE messages
        /\ UNCHANGED <<ofSending, ofRole, acceptedEpoch, committed, ofLeader, ghosts>>

\* l.2.2: with a quorum of acknowledgements the epoch is established, and its history is committed.
ReceiveAckLeader(l, f) ==
    LET acks == ackLeaders[l] \cup {f}
        isFirst == phase[l] = "synchronization" /\ IsQuorum(acks)
        told == IF isFirst THEN acks \ {l} ELSE IF phase[l] = "broadcast" THEN {f} ELSE {}
        log == history[l]
        done == IF isFirst THEN Len(log) ELSE committed[l]
        taken == [messages EXCEPT ![f][l] = Tail(@)]
    IN  /\ role[l] = "leading"
        /\ IsHead(f, l, "ACKLD")
        /\ ackLeaders' = [ackLeaders EXCEPT ![l] = acks]
        /\ phase' = [phase EXCEPT ![l] = IF isFirst THEN "broadcast" ELSE @]
        /\ committed' = [committed EXCEPT ![l] = done]
        /\ acked' = [acked EXCEPT ![l][f] = Len(Head(messages[f][l]).history), ![l][l] = IF isFirst THEN Len(log) ELSE @]
        /\ messages' = SendToAll(taken, l, told, Message("COMMITLD", acceptedEpoch[l], SubSeq(log, 1, done)))
        /\ epochs' = IF isFirst
                     THEN [epochs EXCEPT ![acceptedEpoch[l]].leaders = @ \cup {l}, ![acceptedEpoch[l]].initial = log]
                     ELSE epochs
        /\ committedLog' = IF done > Len(committedLog) THEN SubSeq(log, 1, done) ELSE committedLog
        /\ UNCHANGED <<ofSending, oracle, role, leaderOf, spent, onDisk, halfDone, cepochs, ackEpochs, synced>>

\* f.2.2: the follower delivers what is committed.
ReceiveCommitLeader(f) ==
    LET l == leaderOf[f]
    IN  /\ role[f] = "following"
        /\ IsHead(l, f, "COMMITLD")
        /\ phase' = [phase EXCEPT ![f] = "broadcast"]
        /\ committed' = [committed EXCEPT ![f] = Len(Head(messages[l][f]).history)]
        /\ messages' = [messages EXCEPT ![l][f] = Tail(@)]
        /\ UNCHANGED <<ofSending, oracle, role, leaderOf, spent, onDisk, halfDone, ofLeader, ghosts>>

\* Discovery and synchronization of a leader that is a quorum by itself, as in an ensemble of one server.
LeadAlone(l) ==
    LET epoch == acceptedEpoch[l] + 1
        log == history[l]
    IN  /\ role[l] = "leading"
        /\ phase[l] = "discovery"
        /\ ~HasEpoch(l)
        /\ IsQuorum({l})
        /\ \A i \in Server : cepochs[l][i] # -1 => i = l
        /\ epoch <= MaxEpoch
        /\ acceptedEpoch' = [acceptedEpoch EXCEPT ![l] = epoch]
        /\ currentEpoch' = [currentEpoch EXCEPT ![l] = epoch]
        /\ ackEpochs' = [ackEpochs EXCEPT ![l][l] = [epoch |-> currentEpoch[l], history |-> log]]
        /\ ackLeaders' = [ackLeaders EXCEPT ![l] = {l}]
        /\ acked' = [acked EXCEPT ![l][l] = Len(log)]
        /\ phase' = [phase EXCEPT ![l] = "broadcast"]
        /\ committed' = [committed EXCEPT ![l] = Len(log)]
        /\ epochs' = [epochs EXCEPT ![epoch].leaders = @ \cup {l}, ![epoch].initial = log]
        /\ committedLog' = IF Len(log) > Len(committedLog) THEN log ELSE committedLog
        /\ UNCHANGED <<ofSending, oracle, role, leaderOf, spent, history, halfDone, cepochs, synced, messages>>

-----------------------------------------------------------------------------
(* Broadcast.                                                                  *)

\* l.3.1
Propose(l) ==
    LET epoch == acceptedEpoch[l]
        zxid == MakeZxid(epoch, epochs[epoch].proposed + 1)
    IN  /\ role[l] = "leading"
        /\ phase[l] = "broadcast"
        /\ ~unsent[l]
        /\ spent.transactions < MaxTransactions
        /\ history' = [history EXCEPT ![l] = Append(@, zxid)]
        /\ acked' = [acked EXCEPT ![l][l] = Len(history[l]) + 1]
        /\ unsent' = [unsent EXCEPT ![l] = LogsApart]
        /\ messages' = IF LogsApart THEN messages ELSE SendToAll(messages, l, synced[l], Message("PROPOSE", epoch, <<zxid>>))
        /\ spent' = [spent EXCEPT !.transactions = @ + 1]
        /\ epochs' = [epochs EXCEPT ![epoch].proposed = @ + 1]
        /\ UNCHANGED <<oracle, role, phase, leaderOf, acceptedEpoch, currentEpoch, committed, halfDone, cepochs, ackEpochs, synced,
                       ackLeaders, informed, committedLog>>

\* The second half of l.3.1. Who has come back in between has the transaction already.
Broadcast(l) ==
    LET others == {f \in synced[l] : f \notin informed[l]}
    IN  /\ role[l] = "leading"
        /\ unsent[l]
        /\ unsent' = [unsent EXCEPT ![l] = FALSE]
        /\ informed' = [informed EXCEPT ![l] = {}]
        /\ messages' = SendToAll(messages, l, others, Message("PROPOSE", acceptedEpoch[l], <<LastZxid(history[l])>>))
        /\ UNCHANGED <<ofRole, onDisk, committed, halfDone, ofLeader, ghosts>>

\* f.3.1, also while the follower waits for COMMITLD.
ReceivePropose(f) ==
    LET l == leaderOf[f]
        log == history[f] \o Head(messages[l][f]).history
    IN  /\ role[f] = "following"
        /\ IsHead(l, f, "PROPOSE")
        /\ history' = [history EXCEPT ![f] = log]
        /\ messages' = Reply(l, f, Message("ACK", acceptedEpoch[f], log))
        /\ UNCHANGED <<ofSending, ofRole, acceptedEpoch, currentEpoch, committed, halfDone, ofLeader, ghosts>>

\* l.3.2: what is sent and a quorum has acknowledged is committed.
ReceiveAck(l, f) ==
    LET counts == [acked[l] EXCEPT ![f] = Len(Head(messages[f][l]).history)]
        done == Max({committed[l]} \cup {n \in 1..Len(history[l]) :
                    /\ IsQuorum({i \in Server : counts[i] >= n})
                    /\ unsent[l] => n < Len(history[l])})
        taken == [messages EXCEPT ![f][l] = Tail(@)]
    IN  /\ role[l] = "leading"
        /\ phase[l] = "broadcast"
        /\ IsHead(f, l, "ACK")
        /\ acked' = [acked EXCEPT ![l] = counts]
        /\ committed' = [committed EXCEPT ![l] = done]
        /\ messages' = IF done > committed[l]
                       THEN SendToAll(taken, l, synced[l], Message("COMMIT", acceptedEpoch[l], SubSeq(history[l], 1, done)))
                       ELSE taken
        /\ committedLog' = IF done > Len(committedLog) THEN SubSeq(history[l], 1, done) ELSE committedLog
        /\ UNCHANGED <<ofSending, ofRole, onDisk, halfDone, cepochs, ackEpochs, synced, ackLeaders, epochs>>

\* f.3.2. A COMMIT that comes before COMMITLD is repeated by that.
ReceiveCommit(f) ==
    LET l == leaderOf[f]
    IN  /\ role[f] = "following"
        /\ IsHead(l, f, "COMMIT")
        /\ committed' = [committed EXCEPT ![f] =
               IF phase[f] = "broadcast" THEN Max({@, Len(Head(messages[l][f]).history)}) ELSE @]
        /\ messages' = [messages EXCEPT ![l][f] = Tail(@)]
        /\ UNCHANGED <<ofSending, ofRole, onDisk, halfDone, ofLeader, ghosts>>

-----------------------------------------------------------------------------
(* Faults: a follower and its leader lose each other, a server restarts.       *)

\* The servers who look for a leader again when those in S have lost theirs. A leader gives up when no quorum follows it.
Leavers(S) ==
    LET gone == {l \in Server : /\ role[l] = "leading"
                                /\ \/ l \in S
                                   \/ /\ \E f \in S : leaderOf[f] = l
                                      /\ ~IsQuorum({l} \cup {f \in Server \ S : leaderOf[f] = l})}
    IN  S \cup gone \cup {f \in Server : role[f] = "following" /\ leaderOf[f] \in gone}

Leave(S) ==
    /\ oracle' = IF oracle \in S THEN Nobody ELSE oracle
    /\ role' = [i \in Server |-> IF i \in S THEN "looking" ELSE role[i]]
    /\ phase' = [i \in Server |-> IF i \in S THEN "election" ELSE phase[i]]
    /\ leaderOf' = [i \in Server |-> IF i \in S THEN Nobody ELSE leaderOf[i]]
    /\ committed' = [i \in Server |-> IF i \in S THEN 0 ELSE committed[i]]
    /\ halfDone' = [i \in Server |-> IF i \in S THEN FALSE ELSE halfDone[i]]
    /\ cepochs' = [l \in Server |-> [f \in Server |-> IF l \in S \/ f \in S THEN -1 ELSE cepochs[l][f]]]
    /\ ackEpochs' = [l \in Server |-> [f \in Server |-> IF l \in S \/ f \in S THEN NoAck ELSE ackEpochs[l][f]]]
    /\ synced' = [l \in Server |-> IF l \in S THEN {} ELSE synced[l] \ S]
    /\ ackLeaders' = [l \in Server |-> IF l \in S THEN {} ELSE ackLeaders[l] \ S]
    /\ acked' = [l \in Server |-> [f \in Server |-> IF l \in S \/ f \in S THEN 0 ELSE acked[l][f]]]
    /\ unsent' = [l \in Server |-> l \notin S /\ unsent[l]]
    /\ informed' = [l \in Server |-> IF l \in S THEN {} ELSE informed[l] \ S]
    /\ messages' = [i \in Server |-> [j \in Server |-> IF i \in S \/ j \in S THEN <<>> ELSE messages[i][j]]]
    /\ UNCHANGED <<onDisk, ghosts>>

Timeout(i) ==
    /\ role[i] = "following"
    /\ spent.timeouts < MaxTimeouts
    /\ spent' = [spent EXCEPT !.timeouts = @ + 1]
    /\ Leave(Leavers({i}))

Restart(i) ==
    /\ role[i] # "looking"
    /\ spent.restarts < MaxRestarts
    /\ spent' = [spent EXCEPT !.restarts = @ + 1]
    /\ Leave(Leavers({i}))

-----------------------------------------------------------------------------
Next ==
    \/ \E i \in Server :
           \/ Elect(i) \/ FollowLeader(i) \/ ReceiveNewEpoch(i) \/ ReceiveNewLeader(i) \/ ReceiveCommitLeader(i)
           \/ LeadAlone(i) \/ Propose(i) \/ Broadcast(i) \/ ReceivePropose(i) \/ ReceiveCommit(i) \/ Timeout(i) \/ Restart(i)
    \/ \E l, f \in Server : ReceiveCEpoch(l, f) \/ ReceiveAckEpoch(l, f) \/ ReceiveAckLeader(l, f) \/ ReceiveAck(l, f)

Spec == Init /\ [][Next]_vars
=============================================================================
