--------------------------- MODULE BroadcastCommon ---------------------------
(* Broadcast: the leader's side, which all grains have alike. The leader logs  *)
(* a transaction, acknowledges it itself and proposes it in one step, and      *)
(* applies what it commits at once.                                            *)
EXTENDS Zk

\* Leader.propose, with the leader's own SyncRequestProcessor and AckRequestProcessor.
Propose(l) ==
    LET epoch == acceptedEpoch[l]
        open == outstanding[l]
        lastProposed == IF open # <<>> THEN open[Len(open)].zxid ELSE Max({LastZxid(database[l]), MakeZxid(epoch, 0)})
        zxid == lastProposed + 1
    IN  /\ IsServingLeader(l)
        /\ spent.transactions < MaxTransactions
        /\ history' = [history EXCEPT ![l] = Append(@, zxid)]
        /\ outstanding' = [outstanding EXCEPT ![l] = Append(@, [zxid |-> zxid, acks |-> {l}])]
        /\ channel' = [channel EXCEPT ![l] =
               [f \in Server |-> IF f \in Forwarding(l) THEN Append(@[f], Packet("PROPOSAL", zxid)) ELSE @[f]]]
        /\ spent' = [spent EXCEPT !.transactions = @ + 1]
        /\ epochs' = [epochs EXCEPT ![epoch].proposed = @ + 1]

\* The ACK that answers UPTODATE comes when f should have all that the epoch began with.
IsBehind(l, f) == ~IsPrefix(epochs[acceptedEpoch[l]].initial, database[f])

\* Leader.processAck and tryToCommit. The ACK that answers UPTODATE has no counter.
ReceiveAck(l, f) ==
    LET zxid == Head(channel[f][l]).zxid
        lastCommitted == Max({LastZxid(database[l]), MakeZxid(acceptedEpoch[l], 0)})
        isOld == CounterOf(zxid) = 0 \/ outstanding[l] = <<>> \/ zxid <= lastCommitted
        known == {n \in 1..Len(outstanding[l]) : outstanding[l][n].zxid = zxid}
        acked == [n \in 1..Len(outstanding[l]) |->
                     IF n \in known THEN [outstanding[l][n] EXCEPT !.acks = @ \cup {f}] ELSE outstanding[l][n]]
        commits == ~isOld /\ 1 \in known /\ IsQuorum(acked[1].acks)
        db == IF commits THEN Append(database[l], zxid) ELSE database[l]
        bad == (IF CounterOf(zxid) = 0 /\ IsBehind(l, f) THEN {"I-11"} ELSE {})
               \cup (IF ~isOld /\ known = {} THEN {"I-12"} ELSE {})
               \cup (IF commits /\ zxid # lastCommitted + 1 THEN {"I-14"} ELSE {})
    IN  /\ state[l] = "LEADING"
        /\ handler[l][f] = "RUN"
        /\ IsHead(f, l, "ACK")
        /\ outstanding' = [outstanding EXCEPT ![l] = IF commits THEN Tail(acked) ELSE IF isOld THEN @ ELSE acked]
        /\ database' = [database EXCEPT ![l] = db]
        /\ channel' = [a \in Server |-> [b \in Server |->
               CASE a = f /\ b = l -> Tail(channel[f][l])
                 [] a = l /\ commits /\ b \in Forwarding(l) -> Append(channel[l][b], Packet("COMMIT", zxid))
                 [] OTHER -> channel[a][b]]]
        /\ committedLog' = IF Len(db) > Len(committedLog) THEN db ELSE committedLog
        /\ alarms' = alarms \cup bad

\* Follower.processPacket is called for these.
IsBroadcasting(f) == IsFollowing(f) /\ zabState[f] = "BROADCAST"
=============================================================================
