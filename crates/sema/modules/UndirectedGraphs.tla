-------------------------- MODULE UndirectedGraphs --------------------------
(* Undirected graphs. A graph G is a record: G.node is its set of nodes and  *)
(* G.edge its set of edges, each a set {m, n} of one or two nodes. Graphs    *)
(* are meant to be finite unless the comment of an operator says otherwise.  *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets

(* TRUE iff G is a record of that form whose edges link nodes of G. *)
IsUndirectedGraph(G) ==
  /\ G = [edge |-> G.edge, node |-> G.node]
  /\ G.edge \subseteq {{m, n} : m, n \in G.node}

(* TRUE iff, moreover, no edge links a node with itself. *)
IsLoopFreeUndirectedGraph(G) ==
  /\ IsUndirectedGraph(G)
  /\ \A n \in G.node : {n} \notin G.edge

(* All graphs whose nodes and edges are among those of G. *)
UndirectedSubgraph(G) ==
  UNION {[node : {N}, edge : SUBSET (G.edge \cap {{m, n} : m, n \in N})] :
            N \in SUBSET G.node}

-----------------------------------------------------------------------------

(* The nodes linked to node n by an edge. *)
LOCAL Neighbours(G, n) == {m \in G.node : {m, n} \in G.edge}

(* The nodes that can be reached from node n, itself included. *)
LOCAL Component(G, n) ==
  LET grow[U \in SUBSET G.node] ==
        LET next == UNION {Neighbours(G, m) : m \in U} \ U
        IN  IF next = {} THEN U ELSE grow[U \cup next]
  IN  grow[{n}]

(* The non-empty sequences of nodes in which an edge links each node with    *)
(* the next one. Infinite as soon as G has an edge.                          *)
Path(G) ==
  {p \in Seq(G.node) :
      Len(p) > 0 /\ \A i \in 2..Len(p) : {p[i - 1], p[i]} \in G.edge}

(* The paths that visit no node twice. *)
SimplePath(G) ==
  LET Visited(p) == {p[i] : i \in 1..Len(p)}
      Onward(p)  == Neighbours(G, p[Len(p)]) \ Visited(p)
      ofLen[n \in Nat] ==
        IF n = 1
        THEN {<<m>> : m \in G.node}
        ELSE UNION {{Append(p, m) : m \in Onward(p)} : p \in ofLen[n - 1]}
  IN  UNION {ofLen[n] : n \in 1..Cardinality(G.node)}

(* TRUE iff m and n are nodes of G and a path links them. *)
AreConnectedIn(m, n, G) == m \in G.node /\ n \in Component(G, m)

(* The connected components of G: the largest sets of nodes in which any two *)
(* nodes are linked by a path.                                               *)
ConnectedComponents(G) == {Component(G, n) : n \in G.node}

(* TRUE iff G has exactly one connected component. *)
IsStronglyConnected(G) == ConnectedComponents(G) = {G.node}

(* All undirected graphs whose set of nodes is S. *)
UndirectedGraphs(S) == [node : {S}, edge : SUBSET {{m, n} : m, n \in S}]
=============================================================================
