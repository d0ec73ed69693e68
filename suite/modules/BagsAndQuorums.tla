---------------------------- MODULE BagsAndQuorums --------------------------
(* BagsExt, Quorum and UndirectedGraphs.                                     *)
EXTENDS Naturals, Sequences, FiniteSets, Bags, BagsExt, Quorum
U == INSTANCE UndirectedGraphs

VARIABLE b

ASSUME BagAdd(EmptyBag, "a") = [a |-> 1] /\ BagAdd([a |-> 1], "a") = [a |-> 2]
ASSUME BagRemove([a |-> 2], "a") = [a |-> 1] /\ BagRemove([a |-> 1], "a") = EmptyBag
ASSUME BagRemove([a |-> 1], "z") = [a |-> 1]
ASSUME BagRemoveAll([a |-> 5, c |-> 1], "a") = [c |-> 1]
ASSUME SumBag(<<2, 3>>) = 8 /\ ProductBag(<<2, 3>>) = 8
ASSUME FoldBag(+, 0, EmptyBag) = 0

Majorities == {Q \in SUBSET (1..3) : 2 * Cardinality(Q) > 3}
ASSUME Majorities \in QuorumSystem(1..3)
ASSUME {{1}} \notin QuorumSystem(1..2)
ASSUME QuorumSystem({1}) = {{{1}}}
ASSUME Cardinality(QuorumSystem(1..3)) = 11

Star == [node |-> 1..4, edge |-> {{1, 2}, {1, 3}}]
ASSUME U!IsUndirectedGraph(Star) /\ U!IsLoopFreeUndirectedGraph(Star)
ASSUME U!ConnectedComponents(Star) = {{1, 2, 3}, {4}}
ASSUME U!AreConnectedIn(2, 3, Star) /\ ~U!AreConnectedIn(2, 4, Star)
ASSUME ~U!IsStronglyConnected(Star)

Init == b = EmptyBag
Next ==
    \/ \E x \in {"u", "v"} : BagCardinality(b) < 3 /\ b' = BagAdd(b, x)
    \/ \E x \in DOMAIN b : b' = BagRemove(b, x)
Fine == IsABag(b)
=============================================================================
