----------------------------- MODULE SyncAtomic -----------------------------
(* Synchronization where NEWLEADER is one step, as the protocol has it: the    *)
(* follower writes its epoch, logs all that it has read and acknowledges.      *)
EXTENDS SyncCommon

Acks(zxids) == [n \in 1..Len(zxids) |-> Packet("ACK", zxids[n])]

\* The log after NEWLEADER. A snapshot saves what SNAP and TRUNC put into memory. Up to 3.6.2 (ZK-3911) the packets were
\* not logged before UPTODATE.
Saved(f) == IF WritesToTxnLog(f) THEN history[f] ELSE database[f]
LogsAtNewLeader == Release \notin {"3.4.3", "3.4.10", "3.6.2"}

\* case NEWLEADER of syncWithLeader.
ReceiveNewLeader(f) ==
    LET l == leaderOf[f]
        logged == IF LogsAtNewLeader THEN packetsNotCommitted[f] ELSE <<>>
    IN  /\ IsSyncing(f)
        /\ syncStep[f] \in {"DIFF", "TRUNC", "SNAP"}
        /\ IsHead(l, f, "NEWLEADER")
        /\ currentEpoch' = [currentEpoch EXCEPT ![f] = acceptedEpoch[f]]
        /\ history' = [history EXCEPT ![f] = Saved(f) \o logged]
        /\ packetsNotCommitted' = [packetsNotCommitted EXCEPT ![f] = IF LogsAtNewLeader THEN <<>> ELSE @]
        /\ syncStep' = [syncStep EXCEPT ![f] = "UPTODATE"]
        /\ channel' = Reply(channel, l, f, <<Packet("ACK", MakeZxid(acceptedEpoch[f], 0))>> \o Acks(logged))

\* case UPTODATE of syncWithLeader, and what follows the loop: an ACK, the packets that came after NEWLEADER are logged,
\* the commits are carried out. pendingTxns are the transactions that are in the log and not yet in the database.
ReceiveUpToDate(f) ==
    LET l == leaderOf[f]
        logged == packetsNotCommitted[f]
        pending == SubSeq(history[f], Len(database[f]) + 1, Len(history[f])) \o logged
    IN  /\ IsSyncing(f)
        /\ syncStep[f] = "UPTODATE"
        /\ IsHead(l, f, "UPTODATE")
        /\ zabState' = [zabState EXCEPT ![f] = "BROADCAST"]
        /\ syncStep' = [syncStep EXCEPT ![f] = "NONE"]
        /\ history' = [history EXCEPT ![f] = @ \o logged]
        /\ database' = [database EXCEPT ![f] = @ \o packetsCommitted[f]]
        /\ packetsNotCommitted' = [packetsNotCommitted EXCEPT ![f] = <<>>]
        /\ packetsCommitted' = [packetsCommitted EXCEPT ![f] = <<>>]
        /\ channel' = Reply(channel, l, f, <<Packet("ACK", MakeZxid(acceptedEpoch[f], 0))>> \o Acks(logged))
        /\ alarms' = IF IsPrefix(packetsCommitted[f], pending) THEN alarms ELSE alarms \cup {"I-14"}

AtomicLeave(S, down) ==
    /\ SyncCommonLeave(S)
    /\ database' = [i \in Server |->
           IF i \in down THEN history[i] ELSE IF i \in S THEN AfterShutdown(i, history[i]) ELSE database[i]]
=============================================================================
