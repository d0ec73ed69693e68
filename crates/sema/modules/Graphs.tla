------------------------------- MODULE Graphs -------------------------------
(* Directed graphs. A graph G is a record: G.node is its set of nodes and    *)
(* G.edge its set of edges, each a pair <<m, n>> of nodes. Graphs are meant  *)
(* to be finite unless the comment of an operator says otherwise.            *)
EXTENDS Naturals, Sequences, FiniteSets, SequencesExt, Relation

(* TRUE iff G is a record of that form whose edges link nodes of G. *)
IsDirectedGraph(G) ==
  /\ G = [edge |-> G.edge, node |-> G.node]
  /\ G.edge \subseteq G.node \X G.node

(* All graphs whose nodes and edges are among those of G. *)
DirectedSubgraph(G) ==
  UNION {[node : {N}, edge : SUBSET (G.edge \cap (N \X N))] :
            N \in SUBSET G.node}

(* G with every edge turned around. *)
Transpose(G) ==
  [node |-> G.node, edge |-> {<<e[2], e[1]>> : e \in G.edge}]

(* TRUE iff G is a directed graph in which every edge has its reverse. See   *)
(* module UndirectedGraphs for another way to represent undirected graphs.   *)
IsUndirectedGraph(G) == IsDirectedGraph(G) /\ G.edge = Transpose(G).edge

(* The subgraphs of G that are undirected in this sense. *)
UndirectedSubgraph(G) == {H \in DirectedSubgraph(G) : IsUndirectedGraph(H)}

-----------------------------------------------------------------------------
(* Neighbours *)

(* The nodes to which an edge leads from node n. *)
Successors(G, n) == {m \in G.node : <<n, m>> \in G.edge}

(* The nodes to which an edge leads from some node in S. *)
AllSuccessors(G, S) == {m \in G.node : \E n \in S : <<n, m>> \in G.edge}

(* The nodes from which an edge leads to node n. *)
Predecessors(G, n) == {m \in G.node : <<m, n>> \in G.edge}

(* The nodes from which an edge leads to some node in S. *)
AllPredecessors(G, S) == {m \in G.node : \E n \in S : <<m, n>> \in G.edge}

(* The number of edges that lead to node n. *)
InDegree(G, n) == Cardinality(Predecessors(G, n))

(* The number of edges that start at node n. *)
OutDegree(G, n) == Cardinality(Successors(G, n))

(* The nodes to which no edge leads. *)
Roots(G) == {n \in G.node : \A m \in G.node : <<m, n>> \notin G.edge}

(* The nodes at which no edge starts. *)
Leaves(G) == {n \in G.node : \A m \in G.node : <<n, m>> \notin G.edge}

-----------------------------------------------------------------------------
(* Paths *)

(* The nodes in the set T of nodes, and those that can be reached from them. *)
LOCAL ReachableFrom(G, T) ==
  LET grow[U \in SUBSET G.node] ==
        LET next == AllSuccessors(G, U) \ U
        IN  IF next = {} THEN U ELSE grow[U \cup next]
  IN  grow[T]

(* The non-empty sequences of nodes in which each node has an edge to the    *)
(* next one. Infinite if G has a cycle.                                      *)
Path(G) ==
  {p \in Seq(G.node) :
      Len(p) > 0 /\ \A i \in 2..Len(p) : <<p[i - 1], p[i]>> \in G.edge}

(* The paths that visit no node twice. *)
SimplePath(G) ==
  LET Onward(p) == {m \in Successors(G, Last(p)) : ~ Contains(p, m)}
      ofLen[n \in Nat] ==
        IF n = 1
        THEN {<<m>> : m \in G.node}
        ELSE UNION {{Append(p, m) : m \in Onward(p)} : p \in ofLen[n - 1]}
  IN  UNION {ofLen[n] : n \in 1..Cardinality(G.node)}

(* TRUE iff m and n are nodes of G and a path leads from m to n. *)
AreConnectedIn(m, n, G) == m \in G.node /\ n \in ReachableFrom(G, {m})

(* TRUE iff a path leads from every node to every other node. *)
IsStronglyConnected(G) ==
  \A n \in G.node : ReachableFrom(G, {n}) = G.node

(* The function that tells for each pair of nodes whether a path leads from  *)
(* the first to the second. Cheaper than many uses of AreConnectedIn.        *)
ConnectionsIn(G) ==
  LET from == [m \in G.node |-> ReachableFrom(G, {m})]
  IN  [m, n \in G.node |-> n \in from[m]]

(* The nodes that can be reached from node n by one or more edges. *)
Descendants(G, n) == ReachableFrom(G, Successors(G, n))

(* The nodes from which node n can be reached by one or more edges. *)
Ancestors(G, n) == Descendants(Transpose(G), n)

-----------------------------------------------------------------------------
(* Kinds of graphs *)

(* TRUE iff G is a tree with root r and edges that point towards the root:   *)
(* no edge starts at r, at most one starts at any other node, and every node *)
(* is connected to r. Use Transpose(G) for edges that point away from r.     *)
IsTreeWithRoot(G, r) ==
  /\ IsDirectedGraph(G)
  /\ r \in G.node
  /\ \A e \in G.edge : e[1] # r /\ \A f \in G.edge \ {e} : f[1] # e[1]
  /\ \A n \in G.node : AreConnectedIn(n, r, G)

(* The graph with the nodes and edges of both G and H. *)
GraphUnion(G, H) == [node |-> G.node \cup H.node, edge |-> G.edge \cup H.edge]

(* TRUE iff U and V are disjoint, cover the nodes of G, and every edge leads *)
(* from one of them to the other.                                            *)
IsBipartiteWithPartitions(G, U, V) ==
  /\ U \cap V = {}
  /\ \A n \in G.node : n \in U \/ n \in V
  /\ G.edge \subseteq (U \X V) \cup (V \X U)

(* TRUE iff some path of one or more edges leads from a node back to itself. *)
HasCycle(G) == \E n \in G.node : n \in Descendants(G, n)

(* TRUE iff G is a directed graph without cycles. *)
IsDag(G) == IsDirectedGraph(G) /\ ~ HasCycle(G)

(* The graph without nodes. *)
EmptyGraph == [node |-> {}, edge |-> {}]

(* All directed graphs whose set of nodes is S. *)
Graphs(S) == [node : {S}, edge : SUBSET (S \X S)]
=============================================================================
