--------------------------------- MODULE Zk ---------------------------------
(* What every grain of the ZooKeeper family shares: constants, variables,     *)
(* zxids, connections, and how a server stops leading or following.           *)
(*                                                                            *)
(* The default is ZooKeeper 3.8.0. Comments name the Java method that an      *)
(* action stands for. README.md has the map of files.                         *)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Server,           \* ids of the servers, natural numbers: the election compares them
    Release,          \* "3.8.0"; "3.6.2" has ZK-3911, "3.4.10" has ZK-2845, "3.4.3" has ZK-1419
    Repairs,          \* which repairs are in, see SyncThreads.tla
    Masked,           \* known errors that end a behaviour where they would happen: "ZK-4394", "sync-shutdown"
    MaxEpoch,         \* no election goes beyond this epoch
    MaxTransactions,  \* budgets: requests of clients,
    MaxCrashes,       \* crashes
    MaxPartitions     \* and broken links

ASSUME Server \subseteq Nat
ASSUME Release \in {"3.4.3", "3.4.10", "3.6.2", "3.8.0"}
ASSUME Masked \subseteq {"ZK-4394", "sync-shutdown"}

VARIABLES
    \* Each server.
    state,          \* QuorumPeer.ServerState: "LOOKING", "FOLLOWING", "LEADING"; "DOWN" is a process that does not run
    zabState,       \* QuorumPeer.ZabState: "ELECTION", "DISCOVERY", "SYNCHRONIZATION", "BROADCAST"
    acceptedEpoch,  \* the file acceptedEpoch
    currentEpoch,   \* the file currentEpoch
    history,        \* snapshot and log on disk: the zxids of its transactions
    database,       \* ZKDatabase: the zxids of the transactions in the tree in memory
    leaderOf,       \* whom a server follows; its own id while it leads
    \* A leader.
    handler,        \* handler[l][f]: what the LearnerHandler of f at l waits for, see HandlerState
    peerLastZxid,   \* peerLastZxid[l][f]: what f had logged when it sent ACKEPOCH; NoZxid before and after the synchronization
    newLeaderAcks,  \* Leader.newLeaderProposal: who has acknowledged NEWLEADER; empty once the leader serves
    outstanding,    \* Leader.outstandingProposals, in the order of their zxids: [zxid, acks]
    \* A follower in Learner.syncWithLeader.
    syncStep,       \* where the QuorumPeer thread is, see SyncCommon.tla
    packetsNotCommitted, packetsCommitted,
    \* A follower with threads, see SyncThreads.tla.
    queuedRequests,     \* SyncRequestProcessor.queuedRequests
    lateRequests,       \* what a SyncRequestProcessor that outlived its server has still to log: one each
    pendingTxns,        \* FollowerZooKeeperServer.pendingTxns
    committedRequests,  \* CommitProcessor.committedRequests
    \* The election and the discovery in detail, see Election.tla and Discovery.tla.
    proposal, logicalClock, recvset, outOfElection, finalVote, notifications,
    connectingFollowers, electingFollowers, epochToPropose,
    \* The network and the budgets.
    channel,        \* channel[i][j]: packets on the connection from i to j, oldest first
    cut,            \* the links that are broken: a set of sets of two servers
    spent,          \* how much of each budget is spent
    \* Ghosts: nobody reads them but the invariants.
    epochs,         \* epochs[e]: who led epoch e to its establishment, with which history, and how much was proposed
    committedLog,   \* the longest sequence of transactions that a leader took for committed
    alarms          \* errors and warnings of the code: "I-11" .. "I-14"

-----------------------------------------------------------------------------
(* A zxid has an epoch and a counter, as in ZxidUtils: 102 is epoch 1, counter 2. *)
MakeZxid(epoch, counter) == epoch * 100 + counter
EpochOf(zxid) == zxid \div 100
CounterOf(zxid) == zxid % 100
NoZxid == -1

LastZxid(s) == IF s = <<>> THEN 0 ELSE s[Len(s)]
IsPrefix(s, t) == Len(s) <= Len(t) /\ s = SubSeq(t, 1, Len(s))
\* Whether zxid may follow last: the next of its epoch, or the first of a later one.
IsNext(zxid, last) ==
    \/ EpochOf(zxid) = EpochOf(last) /\ zxid = last + 1
    \/ EpochOf(zxid) > EpochOf(last) /\ CounterOf(zxid) = 1

Nobody == -1
IsQuorum(S) == 2 * Cardinality(S) > Cardinality(Server)
Max(S) == CHOOSE x \in S : \A y \in S : y <= x

-----------------------------------------------------------------------------
(* Packets of the learner port. CLOSED is the end of a connection. *)
Packet(type, zxid) == [type |-> type, zxid |-> zxid]
Closed == Packet("CLOSED", 0)
SendTo(net, i, j, packets) == [net EXCEPT ![i][j] = @ \o packets]
\* j takes one packet of i from the connection, and answers.
Reply(net, i, j, packets) == [net EXCEPT ![i][j] = Tail(@), ![j][i] = @ \o packets]
IsHead(i, j, type) == channel[i][j] # <<>> /\ Head(channel[i][j]).type = type
IsCut(i, j) == {i, j} \in cut

(* "OFF": no connection; "EPOCH": waits for ACKEPOCH; "SYNC": is about to     *)
(* call syncFollower; "ACK": waits for the first ACK, that of NEWLEADER;      *)
(* "WAIT": waits until the leader serves; "RUN": has sent UPTODATE.           *)
HandlerState == {"OFF", "EPOCH", "SYNC", "ACK", "WAIT", "RUN"}
Learners(l) == {f \in Server : handler[l][f] # "OFF"}
\* Leader.forwardingFollowers
Forwarding(l) == {f \in Server : handler[l][f] \in {"ACK", "WAIT", "RUN"}}
NoHandlers == [f \in Server |-> "OFF"]
NoPeers == [f \in Server |-> NoZxid]
Nothing == [i \in Server |-> <<>>]

IsFollowing(f) == state[f] = "FOLLOWING"
IsServing(i) == state[i] \in {"FOLLOWING", "LEADING"} /\ zabState[i] = "BROADCAST"
IsServingLeader(l) == state[l] = "LEADING" /\ zabState[l] = "BROADCAST"

-----------------------------------------------------------------------------
(* What a grain adds to the end of leading or following, for the servers S;   *)
(* those in `down` have crashed.                                              *)
SyncLeave(S, down) == TRUE
ElectionLeave(S, down) == TRUE
DiscoveryLeave(S, down) == TRUE
\* What a crash of the servers `down` and a break of `links` do to the messages of the election, and what a restart does.
ElectionCrash(down, links) == TRUE
ElectionRestart(i) == TRUE

\* ZooKeeperServer.shutdown(boolean) of a server i: what the database is when i looks for a leader again. Where it is RUNNING it
\* is fast-forwarded to the log. A learner that is still INITIAL does nothing, or drops a snapshot that has not been saved.
\* The same is on the disk of a server that begins to lead: ZooKeeperServer.loadData takes a snapshot of the database.
FastForward(db, log) == db \o SelectSeq(log, LAMBDA zxid : zxid > LastZxid(db))
AfterShutdown(i, log) ==
    CASE syncStep[i] = "SNAP" -> log
      [] zabState[i] = "BROADCAST" /\ Release = "3.4.10" -> database[i]
      [] zabState[i] # "BROADCAST" /\ "sync-shutdown" \notin Masked -> database[i]
      [] OTHER -> FastForward(database[i], log)

\* Leader.shutdown, Learner.shutdown and the end of a process, where all of S notice at once. Every connection
\* with an end in S is closed.
Leave(S, down) ==
    /\ state' = [i \in Server |-> IF i \in down THEN "DOWN" ELSE IF i \in S THEN "LOOKING" ELSE state[i]]
    /\ zabState' = [i \in Server |-> IF i \in S THEN "ELECTION" ELSE zabState[i]]
    /\ leaderOf' = [i \in Server |-> IF i \in S THEN Nobody ELSE leaderOf[i]]
    /\ handler' = [l \in Server |->
           IF l \in S THEN NoHandlers
           ELSE IF \A f \in S : handler[l][f] = "OFF" THEN handler[l]
           ELSE [f \in Server |-> IF f \in S THEN "OFF" ELSE handler[l][f]]]
    /\ peerLastZxid' = [l \in Server |->
           IF l \in S THEN NoPeers
           ELSE IF \A f \in S : peerLastZxid[l][f] = NoZxid THEN peerLastZxid[l]
           ELSE [f \in Server |-> IF f \in S THEN NoZxid ELSE peerLastZxid[l][f]]]
    /\ newLeaderAcks' = [l \in Server |-> IF l \in S THEN {} ELSE newLeaderAcks[l]]
    /\ outstanding' = [l \in Server |-> IF l \in S THEN <<>> ELSE outstanding[l]]
    /\ channel' = [i \in Server |->
           IF i \in S THEN Nothing
           ELSE IF \A j \in S : channel[i][j] = <<>> THEN channel[i]
           ELSE [j \in Server |-> IF j \in S THEN <<>> ELSE channel[i][j]]]
    /\ SyncLeave(S, down)
    /\ ElectionLeave(S, down)
    /\ DiscoveryLeave(S, down)

\* The same for one server that closes its connections. The other ends find CLOSED behind what it had sent.
HasClosed(j, i) == \E n \in 1..Len(channel[j][i]) : channel[j][i][n] = Closed
LeaveAlone(i, down) ==
    LET peers == {j \in Server : ~HasClosed(j, i) /\ (j \in Learners(i) \/ (IsFollowing(i) /\ j = leaderOf[i]))}
    IN  /\ state' = [state EXCEPT ![i] = IF down THEN "DOWN" ELSE "LOOKING"]
        /\ zabState' = [zabState EXCEPT ![i] = "ELECTION"]
        /\ leaderOf' = [leaderOf EXCEPT ![i] = Nobody]
        /\ handler' = [handler EXCEPT ![i] = NoHandlers]
        /\ peerLastZxid' = [peerLastZxid EXCEPT ![i] = NoPeers]
        /\ newLeaderAcks' = [newLeaderAcks EXCEPT ![i] = {}]
        /\ outstanding' = [outstanding EXCEPT ![i] = <<>>]
        /\ channel' = [a \in Server |-> [b \in Server |->
               CASE a = i /\ b \in peers -> Append(channel[a][b], Closed)
                 [] b = i -> <<>>
                 [] OTHER -> channel[a][b]]]
        /\ SyncLeave({i}, IF down THEN {i} ELSE {})
        /\ ElectionLeave({i}, IF down THEN {i} ELSE {})
        /\ DiscoveryLeave({i}, IF down THEN {i} ELSE {})

-----------------------------------------------------------------------------
NoEpoch == [leaders |-> {}, initial |-> <<>>, proposed |-> 0]
NoPackets == [i \in Server |-> Nothing]

\* Empty servers that have just been started.
BaseInit ==
    /\ state = [i \in Server |-> "LOOKING"]
    /\ zabState = [i \in Server |-> "ELECTION"]
    /\ acceptedEpoch = [i \in Server |-> 0]
    /\ currentEpoch = [i \in Server |-> 0]
    /\ history = Nothing
    /\ database = Nothing
    /\ leaderOf = [i \in Server |-> Nobody]
    /\ handler = [l \in Server |-> NoHandlers]
    /\ peerLastZxid = [l \in Server |-> NoPeers]
    /\ newLeaderAcks = [l \in Server |-> {}]
    /\ outstanding = Nothing
    /\ channel = NoPackets
    /\ cut = {}
    /\ spent = [transactions |-> 0, crashes |-> 0, partitions |-> 0, timeouts |-> 0]
    /\ epochs = [e \in 1..MaxEpoch |-> NoEpoch]
    /\ committedLog = <<>>
    /\ alarms = {}

\* Epoch 1: the greatest id leads, all serve, 101 is committed everywhere, 102 is logged by the leader and on its way.
FirstLeader == Max(Server)
BaseEstablished ==
    /\ state = [i \in Server |-> IF i = FirstLeader THEN "LEADING" ELSE "FOLLOWING"]
    /\ zabState = [i \in Server |-> "BROADCAST"]
    /\ acceptedEpoch = [i \in Server |-> 1]
    /\ currentEpoch = [i \in Server |-> 1]
    /\ history = [i \in Server |-> IF i = FirstLeader THEN <<101, 102>> ELSE <<101>>]
    /\ database = [i \in Server |-> <<101>>]
    /\ leaderOf = [i \in Server |-> FirstLeader]
    /\ handler = [l \in Server |-> IF l = FirstLeader THEN [f \in Server |-> IF f = l THEN "OFF" ELSE "RUN"] ELSE NoHandlers]
    /\ peerLastZxid = [l \in Server |-> NoPeers]
    /\ newLeaderAcks = [l \in Server |-> {}]
    /\ outstanding = [l \in Server |-> IF l = FirstLeader THEN <<[zxid |-> 102, acks |-> {l}]>> ELSE <<>>]
    /\ channel = [i \in Server |-> [j \in Server |->
           IF i = FirstLeader /\ j # i THEN <<Packet("PROPOSAL", 102)>> ELSE <<>>]]
    /\ cut = {}
    /\ spent = [transactions |-> 0, crashes |-> 0, partitions |-> 0, timeouts |-> 0]
    /\ epochs = [e \in 1..MaxEpoch |->
           IF e = 1 THEN [leaders |-> {FirstLeader}, initial |-> <<>>, proposed |-> 2] ELSE NoEpoch]
    /\ committedLog = <<101>>
    /\ alarms = {}
=============================================================================
