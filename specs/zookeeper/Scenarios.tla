------------------------------ MODULE Scenarios ------------------------------
(* Constraints that keep a search to one kind of behaviour, where several      *)
(* errors violate the same invariant.                                          *)
EXTENDS Zk

\* What was committed was so when an epoch began: the leader had its acknowledgements of NEWLEADER, not of proposals (ZK-4646).
CommittedByNewLeader ==
    \/ committedLog \in {<<>>, <<101>>}
    \/ \E e \in 1..MaxEpoch : committedLog = epochs[e].initial
\* No queue has outlived its server (ZK-4712): what is lost from a queue is lost in a crash.
NoLateRequests == \A f \in Server : lateRequests[f] = <<>>
=============================================================================
