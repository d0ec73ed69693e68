-------------------------- MODULE BroadcastThreads --------------------------
(* Broadcast with the queues of a follower, see SyncThreads.tla: the           *)
(* QuorumPeer thread hands proposals to the SyncRequestProcessor and           *)
(* committed transactions to the CommitProcessor.                              *)
EXTENDS BroadcastCommon

\* case PROPOSAL of Follower.processPacket: FollowerZooKeeperServer.logRequest.
ReceiveProposal(f) ==
    LET l == leaderOf[f]
        zxid == Head(channel[l][f]).zxid
        last == LastZxid(<<LastZxid(history[f])>> \o queuedRequests[f])
    IN  /\ IsBroadcasting(f)
        /\ IsHead(l, f, "PROPOSAL")
        /\ queuedRequests' = [queuedRequests EXCEPT ![f] = Append(@, zxid)]
        /\ pendingTxns' = [pendingTxns EXCEPT ![f] = Append(@, zxid)]
        /\ channel' = [channel EXCEPT ![l][f] = Tail(@)]
        /\ alarms' = IF IsNext(zxid, last) THEN alarms ELSE alarms \cup {"I-13"}

\* case COMMIT of Follower.processPacket: FollowerZooKeeperServer.commit. The code only warns where nothing is pending, and ends the process
\* where something else is.
ReceiveCommit(f) ==
    LET l == leaderOf[f]
        zxid == Head(channel[l][f]).zxid
        isFirst == pendingTxns[f] # <<>> /\ Head(pendingTxns[f]) = zxid
    IN  /\ IsBroadcasting(f)
        /\ IsHead(l, f, "COMMIT")
        /\ pendingTxns' = [pendingTxns EXCEPT ![f] = IF isFirst THEN Tail(@) ELSE @]
        /\ committedRequests' = [committedRequests EXCEPT ![f] = IF isFirst THEN Append(@, zxid) ELSE @]
        /\ channel' = [channel EXCEPT ![l][f] = Tail(@)]
        /\ alarms' = IF isFirst THEN alarms ELSE alarms \cup {"I-14"}
=============================================================================
