----------------------------- MODULE Connections -----------------------------
(* What a server does when the other end of a connection is closed. Faults     *)
(* that are noticed at once (Faults.tla) leave nothing to do here.             *)
EXTENDS Zk

\* LearnerHandler.run ends; the leader goes on with those that are left.
IsLeft(l, f) == IsQuorum({l} \cup (Learners(l) \ {f}))
HandlerSeesClose(l, f) ==
    /\ state[l] = "LEADING"
    /\ handler[l][f] # "OFF"
    /\ IsHead(f, l, "CLOSED")
    /\ IsLeft(l, f) \/ zabState[l] = "DISCOVERY"
    /\ handler' = [handler EXCEPT ![l][f] = "OFF"]
    /\ peerLastZxid' = [peerLastZxid EXCEPT ![l][f] = NoZxid]
    /\ channel' = [channel EXCEPT ![f][l] = <<>>, ![l][f] = <<>>]

\* Leader.lead: no quorum is connected any more.
LeaderSeesClose(l, f) ==
    /\ state[l] = "LEADING"
    /\ handler[l][f] # "OFF"
    /\ IsHead(f, l, "CLOSED")
    /\ ~IsLeft(l, f) /\ zabState[l] # "DISCOVERY"
    /\ LeaveAlone(l, FALSE)

\* Learner.readPacket ends with an exception.
LearnerSeesClose(f) ==
    /\ IsFollowing(f)
    /\ IsHead(leaderOf[f], f, "CLOSED")
    /\ LeaveAlone(f, FALSE)

\* A connection to a server that does not lead, or no longer does, is refused, and forgotten by whoever has no use for it.
IsUsed(i, j) == (state[i] = "LEADING" /\ handler[i][j] # "OFF") \/ (IsFollowing(i) /\ leaderOf[i] = j)
RefuseConnection(i, j) ==
    /\ state[i] # "LEADING"
    /\ ~IsUsed(i, j)
    /\ IsHead(j, i, "FOLLOWERINFO")
    /\ channel' = [channel EXCEPT ![j][i] = <<>>, ![i][j] = <<Closed>>]
ForgetConnection(i, j) ==
    /\ ~IsUsed(i, j)
    /\ IsHead(j, i, "CLOSED")
    /\ channel' = [channel EXCEPT ![j][i] = <<>>]
=============================================================================
