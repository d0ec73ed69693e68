--------------------------- MODULE ElectionCoarse ---------------------------
(* Election and discovery as one step: FastLeaderElection.lookForLeader of     *)
(* all voters, Learner.registerWithLeader, Leader.getEpochToPropose and        *)
(* Leader.waitForEpochAck. It ends where every member is in the                *)
(* synchronization phase. This grain reads the variables of several servers.   *)
EXTENDS Zk

\* FastLeaderElection.totalOrderPredicate, on what the servers i and j vote for at first.
IsBetterVote(i, j) ==
    LET zi == LastZxid(database[i])
        zj == LastZxid(database[j])
    IN  \/ currentEpoch[i] > currentEpoch[j]
        \/ currentEpoch[i] = currentEpoch[j] /\ (zi > zj \/ (zi = zj /\ i > j))

\* The servers Q elect l, and nobody who could vote is left out.
ElectionAndDiscovery(l, Q) ==
    LET epoch == Max({acceptedEpoch[i] : i \in Q}) + 1
        members == Q \ {l}
    IN  /\ l \in Q
        /\ IsQuorum(Q)
        /\ \A i \in Server : i \in Q <=> state[i] = "LOOKING" /\ ~IsCut(l, i)
        /\ \A i \in members : IsBetterVote(l, i)
        \* Connections that a server closed are seen by the other end first.
        /\ \A i \in members : channel[l][i] = <<>> /\ channel[i][l] = <<>>
        /\ epoch <= MaxEpoch
        /\ state' = [i \in Server |-> IF i = l THEN "LEADING" ELSE IF i \in Q THEN "FOLLOWING" ELSE state[i]]
        /\ zabState' = [i \in Server |-> IF i \in Q THEN "SYNCHRONIZATION" ELSE zabState[i]]
        /\ leaderOf' = [i \in Server |-> IF i \in Q THEN l ELSE leaderOf[i]]
        /\ acceptedEpoch' = [i \in Server |-> IF i \in Q THEN epoch ELSE acceptedEpoch[i]]
        /\ currentEpoch' = [currentEpoch EXCEPT ![l] = epoch]
        /\ handler' = [handler EXCEPT ![l] = [f \in Server |-> IF f \in members THEN "SYNC" ELSE "OFF"]]
        /\ peerLastZxid' = [peerLastZxid EXCEPT ![l] =
               [f \in Server |-> IF f \in members THEN LastZxid(database[f]) ELSE NoZxid]]
        /\ newLeaderAcks' = [newLeaderAcks EXCEPT ![l] = {l}]
        /\ syncStep' = [i \in Server |-> IF i \in members THEN "FIRST" ELSE syncStep[i]]

\* One more server finds a leader that a quorum follows, and registers with it.
JoinLeader(f, l) ==
    /\ state[f] = "LOOKING"
    /\ state[l] = "LEADING"
    /\ handler[l][f] = "OFF"
    /\ IsQuorum({l} \cup {i \in Learners(l) : ~IsCut(f, i)})
    /\ ~IsCut(f, l)
    /\ channel[l][f] = <<>> /\ channel[f][l] = <<>>
    /\ acceptedEpoch[f] <= acceptedEpoch[l]
    /\ state' = [state EXCEPT ![f] = "FOLLOWING"]
    /\ zabState' = [zabState EXCEPT ![f] = "SYNCHRONIZATION"]
    /\ leaderOf' = [leaderOf EXCEPT ![f] = l]
    /\ acceptedEpoch' = [acceptedEpoch EXCEPT ![f] = acceptedEpoch[l]]
    /\ handler' = [handler EXCEPT ![l][f] = "SYNC"]
    /\ peerLastZxid' = [peerLastZxid EXCEPT ![l][f] = LastZxid(database[f])]
    /\ syncStep' = [syncStep EXCEPT ![f] = "FIRST"]
=============================================================================
