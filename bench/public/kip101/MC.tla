---- MODULE MC ----
\* The module keeps its next-state relation to itself: here its steps are put together again, by who takes them.
EXTENDS Kip101, TLC
ReplicaSymmetry == Permutations(Replicas)
Controller == ControllerShrinkIsr \/ ControllerElectLeader
Leader == LeaderWrite \/ LeaderIncHighWatermark \/ LeaderShrinkIsr \/ LeaderExpandIsr \/ BecomeLeader
Follower == FollowerReplicate \/ BecomeFollowerTruncateKip101
Step == Controller \/ Leader \/ Follower
LogsAreShort == \A replica \in Replicas : replicaLog[replica].endOffset \in 0..LogSize
====
