------------------------------ MODULE Discovery ------------------------------
(* Discovery: a follower registers with the leader it voted for                *)
(* (Learner.registerWithLeader); the leader chooses an epoch                   *)
(* (Leader.getEpochToPropose) and waits until a quorum has accepted it         *)
(* (Leader.waitForEpochAck).                                                   *)
EXTENDS Zk

CONSTANT MaxTimeouts   \* how often a server may give up before initLimit brings it together with others

(* connectingFollowers[l]: who has sent FOLLOWERINFO, until there is a quorum. *)
(* epochToPropose[l]: the greatest epoch that any of these ask for.            *)
(* electingFollowers[l]: who has accepted the epoch; empty before there is     *)
(* one, and after the discovery.                                               *)
IsDiscovering(i) == zabState[i] = "DISCOVERY"
HasEpoch(l) == electingFollowers[l] # {} \/ ~IsDiscovering(l)

\* Follower.followLeader: connectToLeader, and FOLLOWERINFO with the epoch that f has accepted.
ConnectToLeader(f) ==
    LET l == leaderOf[f]
    IN  /\ IsFollowing(f)
        /\ IsDiscovering(f)
        /\ syncStep[f] = "NONE"
        /\ ~IsCut(f, l)
        /\ channel[f][l] = <<>> /\ channel[l][f] = <<>>
        /\ syncStep' = [syncStep EXCEPT ![f] = "REGISTERED"]
        /\ channel' = SendTo(channel, f, l, <<Packet("FOLLOWERINFO", MakeZxid(acceptedEpoch[f], 0))>>)

\* LearnerHandler.run with FOLLOWERINFO: Leader.getEpochToPropose. With a quorum all that wait get LEADERINFO.
ReceiveFollowerInfo(l, f) ==
    LET asked == EpochOf(Head(channel[f][l]).zxid) + 1
        connecting == connectingFollowers[l] \cup {f}
        isFirst == ~HasEpoch(l) /\ IsQuorum(connecting \cup {l})
        proposed == Max({epochToPropose[l], asked})
        epoch == IF isFirst THEN Max({proposed, acceptedEpoch[l] + 1}) ELSE acceptedEpoch[l]
        told == IF HasEpoch(l) THEN {f}
                ELSE IF isFirst THEN {i \in Server : handler[l][i] = "EPOCH"} \cup {f} ELSE {}
    IN  /\ state[l] = "LEADING"
        /\ handler[l][f] = "OFF"
        /\ IsHead(f, l, "FOLLOWERINFO")
        /\ epoch <= MaxEpoch
        /\ handler' = [handler EXCEPT ![l][f] = "EPOCH"]
        /\ connectingFollowers' = [connectingFollowers EXCEPT ![l] = IF HasEpoch(l) \/ isFirst THEN {} ELSE connecting]
        /\ epochToPropose' = [epochToPropose EXCEPT ![l] = IF HasEpoch(l) \/ isFirst THEN 0 ELSE proposed]
        /\ electingFollowers' = [electingFollowers EXCEPT ![l] = IF isFirst THEN {l} ELSE @]
        /\ acceptedEpoch' = [acceptedEpoch EXCEPT ![l] = epoch]
        \* Leader.lead: zk.loadData has taken a snapshot.
        /\ history' = [history EXCEPT ![l] = FastForward(database[l], @)]
        /\ channel' = [a \in Server |-> [b \in Server |->
               CASE a = f /\ b = l -> Tail(channel[f][l])
                 [] a = l /\ b \in told -> Append(channel[l][b], Packet("LEADERINFO", MakeZxid(epoch, 0)))
                 [] OTHER -> channel[a][b]]]

\* registerWithLeader with LEADERINFO: f accepts a later epoch, and says what it has logged. If it accepted the epoch earlier
\* its answer does not count as an acknowledgement.
ReceiveLeaderInfo(f) ==
    LET l == leaderOf[f]
        epoch == EpochOf(Head(channel[l][f]).zxid)
        isNew == epoch > acceptedEpoch[f]
    IN  /\ IsFollowing(f)
        /\ syncStep[f] = "REGISTERED"
        /\ IsHead(l, f, "LEADERINFO")
        /\ epoch >= acceptedEpoch[f]
        /\ acceptedEpoch' = [acceptedEpoch EXCEPT ![f] = epoch]
        /\ zabState' = [zabState EXCEPT ![f] = "SYNCHRONIZATION"]
        /\ syncStep' = [syncStep EXCEPT ![f] = "FIRST"]
        /\ channel' = Reply(channel, l, f, <<[type |-> "ACKEPOCH", zxid |-> LastZxid(database[f]),
                                              epoch |-> IF isNew THEN currentEpoch[f] ELSE -1]>>)

\* The epoch of the leader is less than the accepted one: f leaves with an IOException.
RefuseLeaderInfo(f) ==
    /\ IsFollowing(f)
    /\ syncStep[f] = "REGISTERED"
    /\ IsHead(leaderOf[f], f, "LEADERINFO")
    /\ EpochOf(Head(channel[leaderOf[f]][f]).zxid) < acceptedEpoch[f]
    /\ LeaveAlone(f, FALSE)

\* StateSummary.isMoreRecentThan
IsAhead(packet, l) ==
    \/ packet.epoch > currentEpoch[l]
    \/ packet.epoch = currentEpoch[l] /\ packet.zxid > LastZxid(database[l])

\* LearnerHandler.run with ACKEPOCH: Leader.waitForEpochAck. With a quorum the leader writes currentEpoch and waits for the
\* acknowledgements of NEWLEADER.
ReceiveAckEpoch(l, f) ==
    LET packet == Head(channel[f][l])
        electing == IF packet.epoch # -1 THEN electingFollowers[l] \cup {f} ELSE electingFollowers[l]
        ends == IsDiscovering(l) /\ IsQuorum(electing)
    IN  /\ state[l] = "LEADING"
        /\ handler[l][f] = "EPOCH"
        /\ IsHead(f, l, "ACKEPOCH")
        /\ ~(IsDiscovering(l) /\ IsAhead(packet, l))
        /\ handler' = [handler EXCEPT ![l][f] = "SYNC"]
        /\ peerLastZxid' = [peerLastZxid EXCEPT ![l][f] = packet.zxid]
        /\ electingFollowers' = [electingFollowers EXCEPT ![l] = IF ends THEN {} ELSE IF IsDiscovering(l) THEN electing ELSE @]
        /\ currentEpoch' = [currentEpoch EXCEPT ![l] = IF ends THEN acceptedEpoch[l] ELSE @]
        /\ zabState' = [zabState EXCEPT ![l] = IF ends THEN "SYNCHRONIZATION" ELSE @]
        /\ newLeaderAcks' = [newLeaderAcks EXCEPT ![l] = IF ends THEN {l} ELSE @]
        /\ channel' = [channel EXCEPT ![f][l] = Tail(@)]

\* The follower is ahead of the leader: the handler ends with an IOException.
RefuseAckEpoch(l, f) ==
    /\ state[l] = "LEADING"
    /\ handler[l][f] = "EPOCH"
    /\ IsHead(f, l, "ACKEPOCH")
    /\ IsDiscovering(l) /\ IsAhead(Head(channel[f][l]), l)
    /\ handler' = [handler EXCEPT ![l][f] = "OFF"]
    /\ channel' = [channel EXCEPT ![f][l] = <<>>, ![l][f] = <<Closed>>]

\* initLimit passes: a leader that no quorum has reached gives up, and a follower that does not reach its leader.
GiveUp(i) ==
    /\ IsDiscovering(i)
    /\ IF state[i] = "LEADING" THEN ~IsQuorum({i} \cup Learners(i)) ELSE IsFollowing(i) /\ syncStep[i] = "NONE"
    /\ spent.timeouts < MaxTimeouts
    /\ spent' = [spent EXCEPT !.timeouts = @ + 1]
    /\ LeaveAlone(i, FALSE)

-----------------------------------------------------------------------------
DiscoveryInit ==
    /\ connectingFollowers = [l \in Server |-> {}]
    /\ electingFollowers = [l \in Server |-> {}]
    /\ epochToPropose = [l \in Server |-> 0]

FineDiscoveryLeave(S, down) ==
    /\ connectingFollowers' = [l \in Server |-> IF l \in S THEN {} ELSE connectingFollowers[l]]
    /\ electingFollowers' = [l \in Server |-> IF l \in S THEN {} ELSE electingFollowers[l]]
    /\ epochToPropose' = [l \in Server |-> IF l \in S THEN 0 ELSE epochToPropose[l]]
=============================================================================
