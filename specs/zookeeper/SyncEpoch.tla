------------------------------ MODULE SyncEpoch ------------------------------
(* Synchronization where a follower may crash between the file currentEpoch    *)
(* and the log: case NEWLEADER of syncWithLeader is two steps.                 *)
EXTENDS SyncAtomic

\* self.setCurrentEpoch(newEpoch), after the snapshot if there is one.
ReceiveNewLeaderEpoch(f) ==
    /\ IsSyncing(f)
    /\ syncStep[f] \in {"DIFF", "TRUNC", "SNAP"}
    /\ IsHead(leaderOf[f], f, "NEWLEADER")
    /\ currentEpoch' = [currentEpoch EXCEPT ![f] = acceptedEpoch[f]]
    /\ history' = [history EXCEPT ![f] = Saved(f)]
    /\ syncStep' = [syncStep EXCEPT ![f] = "EPOCH"]

\* fzk.logRequest for each packet, and the ACK.
ReceiveNewLeaderLog(f) ==
    LET l == leaderOf[f]
        logged == IF LogsAtNewLeader THEN packetsNotCommitted[f] ELSE <<>>
    IN  /\ IsSyncing(f)
        /\ syncStep[f] = "EPOCH"
        /\ IsHead(l, f, "NEWLEADER")
        /\ history' = [history EXCEPT ![f] = @ \o logged]
        /\ packetsNotCommitted' = [packetsNotCommitted EXCEPT ![f] = IF LogsAtNewLeader THEN <<>> ELSE @]
        /\ syncStep' = [syncStep EXCEPT ![f] = "UPTODATE"]
        /\ channel' = Reply(channel, l, f, <<Packet("ACK", MakeZxid(acceptedEpoch[f], 0))>> \o Acks(logged))

\* Between the two steps the QuorumPeer thread reads nothing: it does not see that its leader is gone, and hands over the packets before it
\* leaves. Only a crash keeps it from that.
EpochLeave(S, down) ==
    LET isLate(i) == i \in S \ down /\ syncStep[i] = "EPOCH" /\ LogsAtNewLeader
        log(i) == IF isLate(i) THEN history[i] \o packetsNotCommitted[i] ELSE history[i]
    IN  /\ SyncCommonLeave(S)
        /\ history' = [i \in Server |-> log(i)]
        /\ database' = [i \in Server |->
               IF i \in down THEN history[i] ELSE IF i \in S THEN AfterShutdown(i, log(i)) ELSE database[i]]
=============================================================================
