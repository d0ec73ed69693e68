----------------------------- MODULE SyncCommon -----------------------------
(* Synchronization: what all its grains do alike. The leader sends what a      *)
(* follower lacks (LearnerHandler.syncFollower) and counts who has             *)
(* acknowledged NEWLEADER; the follower reads packets up to NEWLEADER          *)
(* (Learner.syncWithLeader). The grains differ in what NEWLEADER does.         *)
EXTENDS Zk

(* syncStep[f]: "NONE": not in syncWithLeader; "FIRST": waits for the first    *)
(* packet; "DIFF", "TRUNC", "SNAP": the first packet was this;                 *)
(* "UPTODATE": NEWLEADER is acknowledged. Grains add steps in between.         *)
ReadingSteps == {"DIFF", "TRUNC", "SNAP", "UPTODATE"}
IsSyncing(f) == IsFollowing(f) /\ zabState[f] = "SYNCHRONIZATION"
\* Packets that come after SNAP or TRUNC go into memory at once, until NEWLEADER takes a snapshot.
WritesToTxnLog(f) == syncStep[f] \in {"DIFF", "UPTODATE"}

\* All of the transactions a learner that has logged `peer` needs of a leader's database, each with its COMMIT.
Missing(db, peer) ==
    LET news == SelectSeq(db, LAMBDA zxid : zxid > peer)
    IN  [n \in 1..(2 * Len(news)) |->
            Packet(IF n % 2 = 1 THEN "PROPOSAL" ELSE "COMMIT", news[(n + 1) \div 2])]

\* LearnerHandler.syncFollower and queueCommittedProposals, with the whole log at hand: DIFF, TRUNC or SNAP, and what follows it. `processed`
\* is the leader's DataTree.lastProcessedZxid.
SyncPackets(db, processed, peer) ==
    LET last == LastZxid(db)
        has(zxid) == \E n \in 1..Len(db) : db[n] = zxid
        older == SelectSeq(db, LAMBDA zxid : zxid < peer)
        news == SelectSeq(db, LAMBDA zxid : zxid > peer)
        \* Without a log, maxCommittedLog is lastProcessedZxid.
        newest == IF db = <<>> THEN processed ELSE last
        snap == <<[type |-> "SNAP", zxid |-> newest, data |-> db]>>
    IN  CASE peer = processed \/ (peer = last /\ db # <<>>) -> <<Packet("DIFF", peer)>>
          [] peer > newest /\ CounterOf(peer) # 0 -> <<Packet("TRUNC", newest)>>
          [] db = <<>> -> snap
          [] peer < last /\ (has(peer) \/ CounterOf(peer) = 0) -> <<Packet("DIFF", last)>> \o Missing(db, peer)
          \* The peer has something that the leader does not know. A log is not cut across epochs.
          [] peer < last /\ EpochOf(Head(news)) = EpochOf(peer) -> <<Packet("TRUNC", LastZxid(older))>> \o Missing(db, peer)
          [] OTHER -> snap

\* LearnerHandler.run after ACKEPOCH: syncFollower, Leader.startForwarding, NEWLEADER.
SyncFollower(l, f) ==
    LET open == [n \in 1..Len(outstanding[l]) |-> Packet("PROPOSAL", outstanding[l][n].zxid)]
        last == LastZxid(database[l])
        \* A leader that serves has begun its epoch: Leader.startZkServer.
        processed == IF zabState[l] = "BROADCAST" THEN Max({last, MakeZxid(acceptedEpoch[l], 0)}) ELSE last
    IN  /\ state[l] = "LEADING"
        /\ zabState[l] \in {"SYNCHRONIZATION", "BROADCAST"}
        /\ handler[l][f] = "SYNC"
        /\ handler' = [handler EXCEPT ![l][f] = "ACK"]
        /\ peerLastZxid' = [peerLastZxid EXCEPT ![l][f] = NoZxid]
        /\ channel' = SendTo(channel, l, f, SyncPackets(database[l], processed, peerLastZxid[l][f]) \o open
                                            \o <<Packet("NEWLEADER", MakeZxid(acceptedEpoch[l], 0))>>)

\* LearnerHandler.run with the first ACK: Leader.waitForNewLeaderAck. Once there is a quorum the leader serves
\* (startZkServer), and whoever waits is told with UPTODATE. The whole database counts as committed from then on.
ReceiveNewLeaderAck(l, f) ==
    LET zxid == Head(channel[f][l]).zxid
        isServing == zabState[l] = "BROADCAST"
        isExpected == zxid = MakeZxid(acceptedEpoch[l], 0)
        acks == IF isExpected THEN newLeaderAcks[l] \cup {f} ELSE newLeaderAcks[l]
        starts == ~isServing /\ IsQuorum(acks)
        told == IF isServing THEN {f}
                ELSE IF starts THEN {i \in Server : handler[l][i] = "WAIT" \/ i = f}
                ELSE {}
    IN  /\ state[l] = "LEADING"
        /\ handler[l][f] = "ACK"
        /\ IsHead(f, l, "ACK")
        /\ handler' = [handler EXCEPT ![l] = [i \in Server |->
               IF i \in told THEN "RUN" ELSE IF i = f THEN "WAIT" ELSE @[i]]]
        /\ newLeaderAcks' = [newLeaderAcks EXCEPT ![l] = IF isServing \/ starts THEN {} ELSE acks]
        /\ zabState' = [zabState EXCEPT ![l] = IF starts THEN "BROADCAST" ELSE @]
        /\ channel' = [a \in Server |-> [b \in Server |->
               CASE a = f /\ b = l -> Tail(channel[f][l])
                 [] a = l /\ b \in told -> Append(channel[l][b], Packet("UPTODATE", NoZxid))
                 [] OTHER -> channel[a][b]]]
        /\ alarms' = IF ~isServing /\ ~isExpected THEN alarms \cup {"I-12"} ELSE alarms
        /\ epochs' = IF starts
                     THEN [epochs EXCEPT ![acceptedEpoch[l]].leaders = @ \cup {l}, ![acceptedEpoch[l]].initial = database[l]]
                     ELSE epochs
        /\ committedLog' = IF starts /\ Len(database[l]) > Len(committedLog) THEN database[l] ELSE committedLog

-----------------------------------------------------------------------------
\* The first packet of syncWithLeader.
ReceiveSyncMode(f) ==
    LET l == leaderOf[f]
        packet == Head(channel[l][f])
        isKnown == CounterOf(packet.zxid) = 0 \/ \E n \in 1..Len(history[f]) : history[f][n] = packet.zxid
        kept == SelectSeq(history[f], LAMBDA zxid : zxid <= packet.zxid)
    IN  /\ IsSyncing(f)
        /\ syncStep[f] = "FIRST"
        /\ channel[l][f] # <<>>
        /\ packet.type \in {"DIFF", "TRUNC", "SNAP"}
        /\ syncStep' = [syncStep EXCEPT ![f] = packet.type]
        /\ channel' = [channel EXCEPT ![l][f] = Tail(@)]
        \* ZKDatabase.truncateLog cuts the log and loads what is left.
        /\ history' = [history EXCEPT ![f] = IF packet.type = "TRUNC" THEN kept ELSE @]
        /\ database' = [database EXCEPT ![f] =
               IF packet.type = "TRUNC" THEN kept ELSE IF packet.type = "SNAP" THEN packet.data ELSE @]
        /\ alarms' = IF packet.type = "TRUNC" /\ ~isKnown THEN alarms \cup {"I-13"} ELSE alarms

\* case PROPOSAL of syncWithLeader. `last` is the newest transaction that f has. After NEWLEADER some may still be queued, so that it is not known.
ReceiveProposalInSync(f) ==
    LET l == leaderOf[f]
        packet == Head(channel[l][f])
        had == IF syncStep[f] = "SNAP" THEN database[f] ELSE history[f]
        last == LastZxid(<<LastZxid(had)>> \o packetsNotCommitted[f])
    IN  /\ IsSyncing(f)
        /\ syncStep[f] \in ReadingSteps
        /\ IsHead(l, f, "PROPOSAL")
        /\ packetsNotCommitted' = [packetsNotCommitted EXCEPT ![f] = Append(@, packet.zxid)]
        /\ channel' = [channel EXCEPT ![l][f] = Tail(@)]
        /\ alarms' = IF syncStep[f] # "UPTODATE" /\ ~IsNext(packet.zxid, last) THEN alarms \cup {"I-13"} ELSE alarms

\* case COMMIT of syncWithLeader, where there is a packet that is not committed.
ReceiveCommitInSync(f) ==
    LET l == leaderOf[f]
        zxid == Head(channel[l][f]).zxid
        first == Head(packetsNotCommitted[f])
        applies == ~WritesToTxnLog(f) /\ first = zxid
    IN  /\ IsSyncing(f)
        /\ syncStep[f] \in ReadingSteps
        /\ IsHead(l, f, "COMMIT")
        /\ packetsNotCommitted[f] # <<>>
        /\ packetsCommitted' = [packetsCommitted EXCEPT ![f] = IF WritesToTxnLog(f) THEN Append(@, zxid) ELSE @]
        /\ packetsNotCommitted' = [packetsNotCommitted EXCEPT ![f] = IF applies THEN Tail(@) ELSE @]
        /\ database' = [database EXCEPT ![f] = IF applies THEN Append(@, zxid) ELSE @]
        /\ channel' = [channel EXCEPT ![l][f] = Tail(@)]
        /\ alarms' = IF ~WritesToTxnLog(f) /\ first # zxid THEN alarms \cup {"I-14"} ELSE alarms

\* case COMMIT where there is none: packetsNotCommitted.peekFirst() is null, the follower leaves with a
\* NullPointerException (ZK-4394).
ReceiveCommitWithoutPacket(f) ==
    /\ IsSyncing(f)
    /\ syncStep[f] \in ReadingSteps
    /\ IsHead(leaderOf[f], f, "COMMIT")
    /\ packetsNotCommitted[f] = <<>>
    /\ "ZK-4394" \notin Masked
    /\ LeaveAlone(f, FALSE)
    /\ alarms' = alarms \cup {"I-14"}

-----------------------------------------------------------------------------
SyncCommonInit ==
    /\ syncStep = [i \in Server |-> "NONE"]
    /\ packetsNotCommitted = Nothing
    /\ packetsCommitted = Nothing

\* Learner.shutdown forgets what syncWithLeader had read.
SyncCommonLeave(S) ==
    /\ syncStep' = [i \in Server |-> IF i \in S THEN "NONE" ELSE syncStep[i]]
    /\ packetsNotCommitted' = [i \in Server |-> IF i \in S THEN <<>> ELSE packetsNotCommitted[i]]
    /\ packetsCommitted' = [i \in Server |-> IF i \in S THEN <<>> ELSE packetsCommitted[i]]
=============================================================================
