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

\* Who can vote for l: all that look for a leader and reach l.
Voters(l) == {i \in Server : state[i] = "LOOKING" /\ ~IsCut(l, i)}
\* No connection between l and i is left that one end has closed and the other has not seen.
IsDisconnected(l, i) == channel[l][i] = <<>> /\ channel[i][l] = <<>>

\* All who can vote for l elect it.
ElectionAndDiscovery(l) ==
    /\ state[l] = "LOOKING"
    /\ \E Q \in {Voters(l)} :
        /\ IsQuorum(Q)
        /\ \A i \in Q : i = l \/ (IsBetterVote(l, i) /\ IsDisconnected(l, i))
        /\ \E epoch \in {Max({acceptedEpoch[i] : i \in Q}) + 1} :
            /\ epoch <= MaxEpoch
            /\ acceptedEpoch' = [i \in Server |-> IF i \in Q THEN epoch ELSE acceptedEpoch[i]]
            /\ currentEpoch' = [currentEpoch EXCEPT ![l] = epoch]
        \* Leader.lead: zk.loadData takes a snapshot.
        /\ history' = [history EXCEPT ![l] = FastForward(database[l], @)]
        /\ state' = [i \in Server |-> IF i = l THEN "LEADING" ELSE IF i \in Q THEN "FOLLOWING" ELSE state[i]]
        /\ zabState' = [i \in Server |-> IF i \in Q THEN "SYNCHRONIZATION" ELSE zabState[i]]
        /\ leaderOf' = [i \in Server |-> IF i \in Q THEN l ELSE leaderOf[i]]
        /\ handler' = [handler EXCEPT ![l] = [f \in Server |-> IF f \in Q /\ f # l THEN "SYNC" ELSE "OFF"]]
        /\ peerLastZxid' = [peerLastZxid EXCEPT ![l] =
               [f \in Server |-> IF f \in Q /\ f # l THEN LastZxid(database[f]) ELSE NoZxid]]
        /\ newLeaderAcks' = [newLeaderAcks EXCEPT ![l] = {l}]
        /\ syncStep' = [i \in Server |-> IF i \in Q /\ i # l THEN "FIRST" ELSE syncStep[i]]

\* Servers tell who looks for a leader of the epoch that they voted in, and from BROADCAST on of the new one (Leader.startZkServer,
\* the end of Learner.syncWithLeader). Of those that f hears a quorum must say the same.
IsToldOf(f, l) ==
    LET heard == {l} \cup {i \in Learners(l) : ~IsCut(f, i)}
    IN  \E phase \in {"SYNCHRONIZATION", "BROADCAST"} : IsQuorum({i \in heard : zabState[i] = phase})

\* One more server finds a leader that a quorum follows, and registers with it.
JoinLeader(f, l) ==
    /\ state[f] = "LOOKING"
    /\ state[l] = "LEADING"
    /\ handler[l][f] = "OFF"
    /\ IsToldOf(f, l)
    /\ ~IsCut(f, l)
    /\ IsDisconnected(l, f)
    /\ acceptedEpoch[f] <= acceptedEpoch[l]
    /\ state' = [state EXCEPT ![f] = "FOLLOWING"]
    /\ zabState' = [zabState EXCEPT ![f] = "SYNCHRONIZATION"]
    /\ leaderOf' = [leaderOf EXCEPT ![f] = l]
    /\ acceptedEpoch' = [acceptedEpoch EXCEPT ![f] = acceptedEpoch[l]]
    /\ handler' = [handler EXCEPT ![l][f] = "SYNC"]
    /\ peerLastZxid' = [peerLastZxid EXCEPT ![l][f] = LastZxid(database[f])]
    /\ syncStep' = [syncStep EXCEPT ![f] = "FIRST"]
=============================================================================
