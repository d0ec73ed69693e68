---------------------------- MODULE GraphTheorems ---------------------------
(* Facts about directed graphs, their paths, and trees. As in module Graphs, *)
(* graphs are meant to be finite. Statements only: cite them in proofs.      *)
EXTENDS Graphs, Sequences

-----------------------------------------------------------------------------
(* Turning edges around *)

(* The result is a graph, and doing it twice changes nothing. *)
THEOREM TransposeIsDirectedGraph ==
  ASSUME NEW G, IsDirectedGraph(G)
  PROVE  IsDirectedGraph(Transpose(G))

THEOREM TransposeTranspose ==
  ASSUME NEW G, IsDirectedGraph(G)
  PROVE  G = Transpose(Transpose(G))

(* Paths run backwards, in both directions of the argument. *)
THEOREM PathTranspose ==
  ASSUME NEW G, NEW path \in Path(G)
  PROVE  Reverse(path) \in Path(Transpose(G))

THEOREM TransposePath ==
  ASSUME NEW G, IsDirectedGraph(G), NEW path \in Path(Transpose(G))
  PROVE  Reverse(path) \in Path(G)

(* The same for simple paths. *)
THEOREM SimplePathTranspose ==
  ASSUME NEW G, NEW path \in SimplePath(G)
  PROVE  Reverse(path) \in SimplePath(Transpose(G))

THEOREM TransposeSimplePath ==
  ASSUME NEW G, IsDirectedGraph(G), NEW path \in SimplePath(Transpose(G))
  PROVE  Reverse(path) \in SimplePath(G)

(* The same for connected nodes. *)
THEOREM AreConnectedInTranspose ==
  ASSUME NEW G, NEW a, NEW b, AreConnectedIn(a, b, G)
  PROVE  AreConnectedIn(b, a, Transpose(G))

THEOREM TransposeAreConnectedIn ==
  ASSUME NEW G, IsDirectedGraph(G), NEW a, NEW b,
         AreConnectedIn(a, b, Transpose(G))
  PROVE  AreConnectedIn(b, a, G)

(* The same for strongly connected graphs. *)
THEOREM IsStronglyConnectedTranspose ==
  ASSUME NEW G, IsStronglyConnected(G)
  PROVE  IsStronglyConnected(Transpose(G))

THEOREM TransposeIsStronglyConnected ==
  ASSUME NEW G, IsDirectedGraph(G), IsStronglyConnected(Transpose(G))
  PROVE  IsStronglyConnected(G)

-----------------------------------------------------------------------------
(* Paths *)

(* A path can be continued by one that starts where it ends. *)
THEOREM PathConcatenation ==
  ASSUME NEW G, NEW first \in Path(G), NEW second \in Path(G),
         second[1] = first[Len(first)]
  PROVE  first \o Tail(second) \in Path(G)

(* Non-empty parts of a path are paths. *)
THEOREM SubPath ==
  ASSUME NEW G, NEW path \in Path(G),
         NEW m \in 1..Len(path), NEW n \in m..Len(path)
  PROVE  SubSeq(path, m, n) \in Path(G)

(* Where there is a path, there is one that visits no node twice. *)
THEOREM ExistsPathIffExistsSimplePath ==
  ASSUME NEW G, NEW a \in G.node, NEW b \in G.node
  PROVE  LET Links(path) == path[1] = a /\ path[Len(path)] = b
         IN  (\E path \in SimplePath(G) : Links(path))
               <=> (\E path \in Path(G) : Links(path))

(* Being connected is reflexive and transitive. *)
THEOREM ConnectedReflexive ==
  ASSUME NEW G, NEW n \in G.node
  PROVE  AreConnectedIn(n, n, G)

THEOREM ConnectedTransitive ==
  ASSUME NEW G, NEW a \in G.node, NEW b \in G.node, AreConnectedIn(a, b, G),
         NEW c \in G.node, AreConnectedIn(b, c, G)
  PROVE  AreConnectedIn(a, c, G)

-----------------------------------------------------------------------------
(* Trees, with edges that point towards the root *)

(* There are no cycles: every non-empty set of nodes has a node all of whose *)
(* edges lead out of the set.                                                *)
THEOREM TreeAcyclic ==
  ASSUME NEW G, NEW r, IsTreeWithRoot(G, r), NEW N \in (SUBSET G.node) \ {{}}
  PROVE  \E n \in N : \A e \in G.edge : ~ (e[1] = n /\ e[2] \in N)

(* No edge leads from a node to itself. *)
THEOREM TreeIrreflexive ==
  ASSUME NEW G, NEW r, IsTreeWithRoot(G, r)
  PROVE  \A n \in G.node : <<n, n>> \notin G.edge

(* All paths are simple. *)
THEOREM TreeSimplePath ==
  ASSUME NEW G, NEW r, IsTreeWithRoot(G, r), NEW path \in Path(G)
  PROVE  path \in SimplePath(G)

(* Two nodes are not connected both ways. *)
THEOREM TreeConnectedAntisymmetric ==
  ASSUME NEW G, NEW r, IsTreeWithRoot(G, r), NEW a \in G.node, NEW b \in G.node,
         AreConnectedIn(b, a, G), AreConnectedIn(a, b, G)
  PROVE  a = b

(* A single node is a tree. *)
THEOREM SingletonIsTreeWithRoot ==
  \A r : IsTreeWithRoot([edge |-> {}, node |-> {r}], r)

(* A tree can be attached to any node of another one. *)
THEOREM AttachTree ==
  ASSUME NEW G, NEW r, IsTreeWithRoot(G, r), NEW at \in G.node,
         NEW H, NEW s, IsTreeWithRoot(H, s), H.node \cap G.node = {}
  PROVE  IsTreeWithRoot([node |-> H.node \cup G.node,
                         edge |-> {<<s, at>>} \cup H.edge \cup G.edge], r)

(* So can a single new node. *)
THEOREM AddLeafToTree ==
  ASSUME NEW G, NEW r, IsTreeWithRoot(G, r),
         NEW parent, parent \in G.node, NEW leaf, leaf \notin G.node
  PROVE  IsTreeWithRoot([node |-> {leaf} \cup G.node,
                         edge |-> {<<leaf, parent>>} \cup G.edge], r)

(* A node other than the root can be taken out with all that hangs on it. *)
THEOREM RemoveSubtree ==
  ASSUME NEW G, NEW r, IsTreeWithRoot(G, r), NEW top \in G.node, top # r
  PROVE  LET kept == {n \in G.node : ~ AreConnectedIn(n, top, G)}
         IN  IsTreeWithRoot([node |-> kept,
                             edge |-> (kept \X kept) \cap G.edge], r)

(* In particular a leaf. *)
THEOREM RemoveLeafFromTree ==
  ASSUME NEW G, NEW r, IsTreeWithRoot(G, r),
         NEW leaf \in G.node, {} = Predecessors(G, leaf),
         NEW parent \in G.node, <<leaf, parent>> \in G.edge
  PROVE  IsTreeWithRoot([edge |-> G.edge \ {<<leaf, parent>>},
                         node |-> G.node \ {leaf}], r)

-----------------------------------------------------------------------------
(* Trees with edges that point away from the root *)

(* A single node is such a tree. *)
THEOREM SingletonIsTransposedTreeWithRoot ==
  \A r : IsTreeWithRoot(Transpose([edge |-> {}, node |-> {r}]), r)

(* A tree can be attached to any node of another one. *)
THEOREM AttachTransposedTree ==
  ASSUME NEW G, IsDirectedGraph(G), NEW r, IsTreeWithRoot(Transpose(G), r),
         NEW H, IsDirectedGraph(H), NEW s, IsTreeWithRoot(Transpose(H), s),
         H.node \cap G.node = {}, NEW at \in G.node
  PROVE  LET both == [node |-> H.node \cup G.node,
                      edge |-> {<<at, s>>} \cup H.edge \cup G.edge]
         IN  IsTreeWithRoot(Transpose(both), r)

(* So can a single new node. *)
THEOREM AddLeafToTransposedTree ==
  ASSUME NEW G, IsDirectedGraph(G), NEW r, IsTreeWithRoot(Transpose(G), r),
         NEW parent, parent \in G.node, NEW leaf, leaf \notin G.node
  PROVE  LET larger == [node |-> {leaf} \cup G.node,
                        edge |-> {<<parent, leaf>>} \cup G.edge]
         IN  IsTreeWithRoot(Transpose(larger), r)

(* A node other than the root can be taken out with all that hangs on it. *)
THEOREM RemoveTransposedSubtree ==
  ASSUME NEW G, IsDirectedGraph(G), NEW r, IsTreeWithRoot(Transpose(G), r),
         NEW top \in G.node, top # r
  PROVE  LET kept    == {n \in G.node : ~ AreConnectedIn(top, n, G)}
             smaller == [node |-> kept, edge |-> (kept \X kept) \cap G.edge]
         IN  IsTreeWithRoot(Transpose(smaller), r)

(* In particular a leaf. *)
THEOREM RemoveLeafFromTransposedTree ==
  ASSUME NEW G, IsDirectedGraph(G), NEW r, IsTreeWithRoot(Transpose(G), r),
         NEW leaf \in G.node, {} = Successors(G, leaf),
         NEW parent \in G.node, <<parent, leaf>> \in G.edge
  PROVE  LET smaller == [edge |-> G.edge \ {<<parent, leaf>>},
                         node |-> G.node \ {leaf}]
         IN  IsTreeWithRoot(Transpose(smaller), r)
=============================================================================
