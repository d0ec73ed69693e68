------------------------------ MODULE Election ------------------------------
(* Fast leader election: FastLeaderElection.lookForLeader with its messages.   *)
(* A notification is handled in the step in which it is received.              *)
EXTENDS Zk

CONSTANTS
    MaxRound,          \* no server looks for a leader in a round beyond this
    MaxNotifications   \* how many messages a link holds: the last one is the send queue, which keeps the newest only

(* proposal[i]: the vote of a server that looks for a leader, [leader, zxid,   *)
(* epoch]; NoVote before lookForLeader begins. recvset[i][j]: the vote of j    *)
(* in this round. outOfElection[i][j]: what j says who no longer looks.        *)
(* finalVote[i]: QuorumPeer.getCurrentVote, with its round.                    *)
(* notifications[i][j]: from i to j: a vote with the state and round of i.     *)
NoVote == [leader |-> Nobody, zxid |-> NoZxid, epoch |-> -1, round |-> 0, state |-> "LOOKING"]
Vote(leader, zxid, epoch, round, peerState) ==
    [leader |-> leader, zxid |-> zxid, epoch |-> epoch, round |-> round, state |-> peerState]
NoVotes == [j \in Server |-> NoVote]

\* FastLeaderElection.totalOrderPredicate. Up to 3.4.3 the id decided between equal zxids of different epochs too (ZK-1419).
IsBetter(new, old) ==
    IF Release = "3.4.3"
    THEN \/ new.epoch > old.epoch
         \/ new.epoch = old.epoch /\ new.zxid > old.zxid
         \/ new.zxid = old.zxid /\ new.leader > old.leader
    ELSE \/ new.epoch > old.epoch
         \/ new.epoch = old.epoch /\ (new.zxid > old.zxid \/ (new.zxid = old.zxid /\ new.leader > old.leader))

\* getInitId, getInitLastLoggedZxid, getPeerEpoch
OwnVote(i, round) == Vote(i, LastZxid(database[i]), currentEpoch[i], round, "LOOKING")

\* A message that finds its link full replaces the last one; a cut link takes none.
Push(i, j, queue, vote) ==
    CASE i = j \/ IsCut(i, j) -> queue
      [] Len(queue) < MaxNotifications -> Append(queue, vote)
      [] OTHER -> [queue EXCEPT ![Len(queue)] = vote]
\* sendNotifications
SendToAll(net, i, vote) == [net EXCEPT ![i] = [j \in Server |-> Push(i, j, @[j], vote)]]

IsLooking(i) == state[i] = "LOOKING" /\ proposal[i] # NoVote

\* Votes of the same round that agree in all. A server has its own.
Supporters(i, votes, vote) == {i} \cup {j \in Server : votes[j] = vote}
\* Vote.equals where both are votes of servers that do not look any more.
Followers(votes, vote) ==
    {j \in Server : votes[j].state # "LOOKING" /\ votes[j].leader = vote.leader /\ votes[j].epoch = vote.epoch}

-----------------------------------------------------------------------------
\* lookForLeader begins.
LookForLeader(i) ==
    LET vote == OwnVote(i, logicalClock[i] + 1)
    IN  /\ state[i] = "LOOKING"
        /\ proposal[i] = NoVote
        /\ logicalClock[i] < MaxRound
        /\ logicalClock' = [logicalClock EXCEPT ![i] = @ + 1]
        /\ proposal' = [proposal EXCEPT ![i] = vote]
        /\ notifications' = SendToAll(notifications, i, vote)

\* recvqueue.poll returns null: nothing has come, the vote is sent again.
ResendNotifications(i) ==
    /\ IsLooking(i)
    /\ \A j \in Server : notifications[j][i] = <<>>
    /\ \E j \in Server : j # i /\ notifications[i][j] = <<>> /\ ~IsCut(i, j)
    /\ notifications' = SendToAll(notifications, i, proposal[i])

\* i looks and receives the vote of j, who looks as well.
ReceiveVote(i, j) ==
    LET vote == Head(notifications[j][i])
        taken == [notifications EXCEPT ![j][i] = Tail(@)]
        own == OwnVote(i, vote.round)
        new == CASE vote.round > logicalClock[i] -> IF IsBetter(vote, own) THEN vote ELSE own
                 [] vote.round = logicalClock[i] /\ IsBetter(vote, proposal[i]) -> vote
                 [] OTHER -> proposal[i]
        \* WorkerReceiver answers a server whose round is behind.
        answer == [taken EXCEPT ![i][j] = Push(i, j, @, proposal[i])]
    IN  /\ IsLooking(i)
        /\ notifications[j][i] # <<>>
        /\ vote.state = "LOOKING"
        /\ vote.round <= MaxRound
        /\ logicalClock' = [logicalClock EXCEPT ![i] = IF vote.round > @ THEN vote.round ELSE @]
        /\ proposal' = [proposal EXCEPT ![i] = new]
        /\ recvset' = [recvset EXCEPT ![i] =
               CASE vote.round > logicalClock[i] -> [NoVotes EXCEPT ![j] = vote]
                 [] vote.round = logicalClock[i] -> [@ EXCEPT ![j] = vote]
                 [] OTHER -> @]
        /\ notifications' = CASE vote.round < logicalClock[i] -> answer
                              [] new # proposal[i] -> SendToAll(taken, i, new)
                              [] OTHER -> taken

\* setPeerState and leaveInstance: i leads or follows from now on.
Decided(i, vote) ==
    /\ state' = [state EXCEPT ![i] = IF vote.leader = i THEN "LEADING" ELSE "FOLLOWING"]
    /\ zabState' = [zabState EXCEPT ![i] = "DISCOVERY"]
    /\ leaderOf' = [leaderOf EXCEPT ![i] = vote.leader]
    /\ finalVote' = [finalVote EXCEPT ![i] =
           [vote EXCEPT !.state = IF vote.leader = i THEN "LEADING" ELSE "FOLLOWING"]]
    /\ proposal' = [proposal EXCEPT ![i] = NoVote]
    /\ recvset' = [recvset EXCEPT ![i] = NoVotes]
    /\ outOfElection' = [outOfElection EXCEPT ![i] = NoVotes]

\* A quorum agrees, and finalizeWait passes without a better vote. It is long enough for what is on its way.
Decide(i) ==
    /\ IsLooking(i)
    /\ IsQuorum(Supporters(i, recvset[i], proposal[i]))
    /\ \A j \in Server : \A n \in 1..Len(notifications[j][i]) : ~IsBetter(notifications[j][i][n], proposal[i])
    /\ Decided(i, proposal[i])

\* receivedFollowingNotification, receivedLeadingNotification: whether i may follow the leader of this vote.
IsJoinable(i, votes, vote) ==
    /\ IsQuorum(Followers(votes, vote))
    /\ votes[vote.leader].state = "LEADING" \/ (vote.leader = i /\ logicalClock[i] = vote.round)

\* i looks and hears of j, who follows or leads.
ReceiveFinalVote(i, j) ==
    LET vote == Head(notifications[j][i])
        votes == IF vote.round = logicalClock[i] THEN [recvset[i] EXCEPT ![j] = vote] ELSE recvset[i]
        others == [outOfElection[i] EXCEPT ![j] = vote]
        joins == IsJoinable(i, others, vote)
    IN  /\ IsLooking(i)
        /\ notifications[j][i] # <<>>
        /\ vote.state # "LOOKING"
        /\ notifications' = [notifications EXCEPT ![j][i] = Tail(@)]
        /\ IF joins
           THEN /\ Decided(i, vote)
                /\ logicalClock' = [logicalClock EXCEPT ![i] = vote.round]
           ELSE /\ recvset' = [recvset EXCEPT ![i] = votes]
                /\ outOfElection' = [outOfElection EXCEPT ![i] = others]
                /\ UNCHANGED <<state, zabState, leaderOf, finalVote, proposal, logicalClock>>

\* i follows or leads: WorkerReceiver answers who looks with the vote that was agreed on.
AnswerNotification(i, j) ==
    LET taken == [notifications EXCEPT ![j][i] = Tail(@)]
    IN  /\ state[i] \in {"FOLLOWING", "LEADING"}
        /\ notifications[j][i] # <<>>
        /\ notifications' = IF Head(notifications[j][i]).state = "LOOKING"
                            THEN [taken EXCEPT ![i][j] = Push(i, j, @, finalVote[i])]
                            ELSE taken

-----------------------------------------------------------------------------
ElectionInit ==
    /\ logicalClock = [i \in Server |-> 0]
    /\ proposal = [i \in Server |-> NoVote]
    /\ recvset = [i \in Server |-> NoVotes]
    /\ outOfElection = [i \in Server |-> NoVotes]
    /\ finalVote = [i \in Server |-> NoVote]
    /\ notifications = NoPackets

\* As BaseEstablished: a quorum elected the greatest id in round 1, when nothing was logged.
ElectionEstablished ==
    /\ logicalClock = [i \in Server |-> 1]
    /\ proposal = [i \in Server |-> NoVote]
    /\ recvset = [i \in Server |-> NoVotes]
    /\ outOfElection = [i \in Server |-> NoVotes]
    /\ finalVote = [i \in Server |->
           Vote(FirstLeader, 0, 0, 1, IF i = FirstLeader THEN "LEADING" ELSE "FOLLOWING")]
    /\ notifications = NoPackets

\* The next lookForLeader begins with nothing but the round, which a crash forgets. What is on its way to a server
\* that crashes is lost.
FleLeave(S, down) ==
    /\ logicalClock' = [i \in Server |-> IF i \in down THEN 0 ELSE logicalClock[i]]
    /\ proposal' = [i \in Server |-> IF i \in S THEN NoVote ELSE proposal[i]]
    /\ recvset' = [i \in Server |-> IF i \in S THEN NoVotes ELSE recvset[i]]
    /\ outOfElection' = [i \in Server |-> IF i \in S THEN NoVotes ELSE outOfElection[i]]
    /\ finalVote' = [i \in Server |-> IF i \in S THEN NoVote ELSE finalVote[i]]
FleCrash(down, links) ==
    notifications' = [i \in Server |-> [j \in Server |->
        IF i \in down \/ j \in down \/ {i, j} \in links THEN <<>> ELSE notifications[i][j]]]
\* Whoever sent something to a server that was down gets no answer.
FleRestart(i) == notifications' = [j \in Server |-> [notifications[j] EXCEPT ![i] = <<>>]]
=============================================================================
