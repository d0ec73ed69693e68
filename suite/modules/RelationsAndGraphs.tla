------------------------- MODULE RelationsAndGraphs -------------------------
(* Relations as functions of pairs, and directed graphs.                     *)
EXTENDS Naturals, Sequences, FiniteSets, Relation
G == INSTANCE Graphs

VARIABLE edges

Node == 1..3
LessEq == [x, y \in Node |-> x <= y]
Less == [x, y \in Node |-> x < y]
Chain == [x, y \in Node |-> y = x + 1]
Equal == [x, y \in Node |-> x = y]

ASSUME IsReflexive(LessEq, Node) /\ ~IsReflexive(Less, Node) /\ IsIrreflexive(Less, Node)
ASSUME IsSymmetric(Equal, Node) /\ ~IsSymmetric(Less, Node)
ASSUME IsAntiSymmetric(LessEq, Node) /\ IsAsymmetric(Less, Node)
ASSUME IsTransitive(Less, Node) /\ ~IsTransitive(Chain, Node)
ASSUME IsTransitiveUnder(<, Node) /\ IsReflexiveUnder(=, Node)
ASSUME IsPartiallyOrdered(LessEq, Node) /\ IsStrictlyPartiallyOrdered(Less, Node)
ASSUME IsTotallyOrdered(LessEq, Node) /\ IsStrictlyTotallyOrdered(Less, Node)
ASSUME TransitiveClosure(Chain, Node) = Less
ASSUME ReflexiveTransitiveClosure(Chain, Node) = LessEq
ASSUME IsConnected([x, y \in Node |-> TRUE], Node) /\ ~IsConnected(Less, Node)

Path == [node |-> 1..3, edge |-> {<<1, 2>>, <<2, 3>>}]
Ring == [node |-> 1..3, edge |-> {<<1, 2>>, <<2, 3>>, <<3, 1>>}]
ASSUME G!IsDirectedGraph(Path) /\ ~G!IsUndirectedGraph(Path)
ASSUME G!Transpose(Path).edge = {<<2, 1>>, <<3, 2>>}
ASSUME G!AreConnectedIn(1, 3, Path) /\ ~G!AreConnectedIn(3, 1, Path)
ASSUME G!IsStronglyConnected(Ring) /\ ~G!IsStronglyConnected(Path)
ASSUME G!SimplePath(Path) = {<<1>>, <<2>>, <<3>>, <<1, 2>>, <<2, 3>>, <<1, 2, 3>>}
ASSUME G!ConnectionsIn(Path)[1, 3] /\ ~G!ConnectionsIn(Path)[3, 1]
ASSUME G!IsTreeWithRoot(Path, 3) /\ ~G!IsTreeWithRoot(Ring, 3)
ASSUME G!HasCycle(Ring) /\ G!IsDag(Path)
ASSUME G!Successors(Path, 1) = {2} /\ G!Predecessors(Path, 1) = {}
ASSUME G!Ancestors(Path, 3) = {1, 2} /\ G!Descendants(Path, 3) = {}
ASSUME G!InDegree(Ring, 1) = 1 /\ G!Roots(Path) = {1} /\ G!Leaves(Path) = {3}
ASSUME G!GraphUnion(Path, G!EmptyGraph) = Path
ASSUME Cardinality(G!DirectedSubgraph([node |-> {1, 2}, edge |-> {<<1, 2>>}])) = 5

\* Edges come one by one until some node reaches itself.
Init == edges = {}
Next ==
    /\ G!IsDag([node |-> Node, edge |-> edges])
    /\ \E x, y \in Node : x # y /\ <<x, y>> \notin edges /\ edges' = edges \cup {<<x, y>>}
Few == Cardinality(edges) <= 4
=============================================================================
