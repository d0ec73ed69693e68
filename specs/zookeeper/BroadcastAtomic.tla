--------------------------- MODULE BroadcastAtomic ---------------------------
(* Broadcast where a follower logs and acknowledges a proposal in one step,    *)
(* and applies a committed transaction at once.                                *)
EXTENDS BroadcastCommon

\* case PROPOSAL of Follower.processPacket, SyncRequestProcessor and SendAckRequestProcessor.
ReceiveProposal(f) ==
    LET l == leaderOf[f]
        zxid == Head(channel[l][f]).zxid
    IN  /\ IsBroadcasting(f)
        /\ IsHead(l, f, "PROPOSAL")
        /\ history' = [history EXCEPT ![f] = Append(@, zxid)]
        /\ channel' = Reply(channel, l, f, <<Packet("ACK", zxid)>>)
        /\ alarms' = IF IsNext(zxid, LastZxid(history[f])) THEN alarms ELSE alarms \cup {"I-13"}

\* case COMMIT of Follower.processPacket: FollowerZooKeeperServer.commit, CommitProcessor, FinalRequestProcessor. What is in the
\* log and not in the database is pending.
ReceiveCommit(f) ==
    LET l == leaderOf[f]
        zxid == Head(channel[l][f]).zxid
        isFirst == Len(history[f]) > Len(database[f]) /\ history[f][Len(database[f]) + 1] = zxid
    IN  /\ IsBroadcasting(f)
        /\ IsHead(l, f, "COMMIT")
        /\ database' = [database EXCEPT ![f] = IF isFirst THEN Append(@, zxid) ELSE @]
        /\ channel' = [channel EXCEPT ![l][f] = Tail(@)]
        /\ alarms' = IF isFirst THEN alarms ELSE alarms \cup {"I-14"}
=============================================================================
