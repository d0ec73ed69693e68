------------------------------ MODULE Locality ------------------------------
(* An action of a server changes that server's variables and its channels, and *)
(* depends on nothing else (ghosts and budgets apart). So one server can be    *)
(* taken out of the system and held against a program that is watched alone.   *)
EXTENDS OneServer

(* What server i knows of a variable that every server has, and of channels:   *)
(* all others look like empty servers that are down.                           *)
Only(v, i, empty) == [j \in Server |-> IF j = i THEN v[i] ELSE empty]
Links(v, i) == [j \in Server |-> [k \in Server |-> IF i \in {j, k} THEN v[j][k] ELSE <<>>]]
Alone(i) == INSTANCE OneServer WITH
    state <- Only(state, i, "DOWN"), zabState <- Only(zabState, i, "ELECTION"),
    acceptedEpoch <- Only(acceptedEpoch, i, 0), currentEpoch <- Only(currentEpoch, i, 0),
    history <- Only(history, i, <<>>), database <- Only(database, i, <<>>), leaderOf <- Only(leaderOf, i, Nobody),
    handler <- Only(handler, i, NoHandlers), peerLastZxid <- Only(peerLastZxid, i, NoPeers),
    newLeaderAcks <- Only(newLeaderAcks, i, {}), outstanding <- Only(outstanding, i, <<>>),
    syncStep <- Only(syncStep, i, "NONE"), packetsNotCommitted <- Only(packetsNotCommitted, i, <<>>),
    packetsCommitted <- Only(packetsCommitted, i, <<>>), queuedRequests <- Only(queuedRequests, i, <<>>),
    lateRequests <- Only(lateRequests, i, <<>>), pendingTxns <- Only(pendingTxns, i, <<>>),
    committedRequests <- Only(committedRequests, i, <<>>), proposal <- Only(proposal, i, NoVote),
    logicalClock <- Only(logicalClock, i, 0), recvset <- Only(recvset, i, NoVotes),
    outOfElection <- Only(outOfElection, i, NoVotes), finalVote <- Only(finalVote, i, NoVote),
    connectingFollowers <- Only(connectingFollowers, i, {}), electingFollowers <- Only(electingFollowers, i, {}),
    epochToPropose <- Only(epochToPropose, i, 0), channel <- Links(channel, i),
    notifications <- Links(notifications, i)

\* A step of server i is one as well where i knows of nobody but itself.
LooksAtItselfAlone(i) ==
    /\ LookForLeader(i) => Alone(i)!LookForLeader(i)
    /\ ResendNotifications(i) => Alone(i)!ResendNotifications(i)
    /\ Decide(i) => Alone(i)!Decide(i)
    /\ ConnectToLeader(i) => Alone(i)!ConnectToLeader(i)
    /\ ReceiveLeaderInfo(i) => Alone(i)!ReceiveLeaderInfo(i)
    /\ RefuseLeaderInfo(i) => Alone(i)!RefuseLeaderInfo(i)
    /\ GiveUp(i) => Alone(i)!GiveUp(i)
    /\ ReceiveSyncMode(i) => Alone(i)!ReceiveSyncMode(i)
    /\ ReceiveProposalInSync(i) => Alone(i)!ReceiveProposalInSync(i)
    /\ ReceiveCommitInSync(i) => Alone(i)!ReceiveCommitInSync(i)
    /\ ReceiveCommitWithoutPacket(i) => Alone(i)!ReceiveCommitWithoutPacket(i)
    /\ ReceiveNewLeader(i) => Alone(i)!ReceiveNewLeader(i)
    /\ ContinueNewLeader(i) => Alone(i)!ContinueNewLeader(i)
    /\ ReceiveUpToDate(i) => Alone(i)!ReceiveUpToDate(i)
    /\ SyncThreadLog(i) => Alone(i)!SyncThreadLog(i)
    /\ SyncThreadLogLate(i) => Alone(i)!SyncThreadLogLate(i)
    /\ CommitThreadApply(i) => Alone(i)!CommitThreadApply(i)
    /\ Propose(i) => Alone(i)!Propose(i)
    /\ ReceiveProposal(i) => Alone(i)!ReceiveProposal(i)
    /\ ReceiveCommit(i) => Alone(i)!ReceiveCommit(i)
    /\ LearnerSeesClose(i) => Alone(i)!LearnerSeesClose(i)
    /\ \A j \in Server \ {i} :
        /\ ReceiveVote(i, j) => Alone(i)!ReceiveVote(i, j)
        /\ ReceiveFinalVote(i, j) => Alone(i)!ReceiveFinalVote(i, j)
        /\ AnswerNotification(i, j) => Alone(i)!AnswerNotification(i, j)
        /\ ReceiveFollowerInfo(i, j) => Alone(i)!ReceiveFollowerInfo(i, j)
        /\ ReceiveAckEpoch(i, j) => Alone(i)!ReceiveAckEpoch(i, j)
        /\ RefuseAckEpoch(i, j) => Alone(i)!RefuseAckEpoch(i, j)
        /\ SyncFollower(i, j) => Alone(i)!SyncFollower(i, j)
        /\ ReceiveNewLeaderAck(i, j) => Alone(i)!ReceiveNewLeaderAck(i, j)
        /\ HandlerSeesClose(i, j) => Alone(i)!HandlerSeesClose(i, j)
        /\ LeaderSeesClose(i, j) => Alone(i)!LeaderSeesClose(i, j)
        /\ RefuseConnection(i, j) => Alone(i)!RefuseConnection(i, j)
        /\ ForgetConnection(i, j) => Alone(i)!ForgetConnection(i, j)
        \* The ACK that answers UPTODATE is left out: its alarm, I-11, looks into the follower's database.
        /\ ReceiveAck(i, j) /\ CounterOf(Head(channel[j][i]).zxid) # 0 => Alone(i)!ReceiveAck(i, j)

\* Only what belongs to server i changes.
ChangesItselfAlone(i) ==
    /\ \A j \in Server \ {i} :
        /\ state'[j] = state[j]
        /\ zabState'[j] = zabState[j]
        /\ acceptedEpoch'[j] = acceptedEpoch[j]
        /\ currentEpoch'[j] = currentEpoch[j]
        /\ history'[j] = history[j]
        /\ database'[j] = database[j]
        /\ leaderOf'[j] = leaderOf[j]
        /\ handler'[j] = handler[j]
        /\ peerLastZxid'[j] = peerLastZxid[j]
        /\ newLeaderAcks'[j] = newLeaderAcks[j]
        /\ outstanding'[j] = outstanding[j]
        /\ syncStep'[j] = syncStep[j]
        /\ packetsNotCommitted'[j] = packetsNotCommitted[j]
        /\ packetsCommitted'[j] = packetsCommitted[j]
        /\ queuedRequests'[j] = queuedRequests[j]
        /\ lateRequests'[j] = lateRequests[j]
        /\ pendingTxns'[j] = pendingTxns[j]
        /\ committedRequests'[j] = committedRequests[j]
        /\ proposal'[j] = proposal[j]
        /\ logicalClock'[j] = logicalClock[j]
        /\ recvset'[j] = recvset[j]
        /\ outOfElection'[j] = outOfElection[j]
        /\ finalVote'[j] = finalVote[j]
        /\ connectingFollowers'[j] = connectingFollowers[j]
        /\ electingFollowers'[j] = electingFollowers[j]
        /\ epochToPropose'[j] = epochToPropose[j]
    /\ \A j, k \in Server \ {i} :
        /\ channel'[j][k] = channel[j][k]
        /\ notifications'[j][k] = notifications[j][k]

all == <<state, zabState, acceptedEpoch, currentEpoch, history, database, leaderOf, handler, peerLastZxid,
        newLeaderAcks, outstanding, syncStep, packetsNotCommitted, packetsCommitted, queuedRequests, lateRequests,
        pendingTxns, committedRequests, proposal, logicalClock, recvset, outOfElection, finalVote,
        connectingFollowers, electingFollowers, epochToPropose, channel, notifications>>
ReadsAreLocal == [][\A i \in Server : LooksAtItselfAlone(i)]_all
WritesAreLocal == [][\E i \in Server : ChangesItselfAlone(i)]_all
=============================================================================
