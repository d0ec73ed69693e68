------------------------------ MODULE GraphViz ------------------------------
(* Exports graphs to the dot language of the Graphviz programs. *)
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt

(* The directed graph G, represented as in module Graphs, in dot format.     *)
(* VL(n) is the label of node n, EL(e) that of edge e.                       *)
DotDiGraph(G, VL(_), EL(_)) ==
  LET Id(n)    == ToString(TLCFP(n))
      Label(v) == ("[label=" \o ToString(v)) \o "];"
      Node(n)  == Id(n) \o Label(VL(n))
      Edge(e)  == ((Id(e[1]) \o "->") \o Id(e[2])) \o Label(EL(e))
      nodes    == FoldLeft(LAMBDA t, n : t \o Node(n), "", SetToSeq(G.node))
      edges    == FoldLeft(LAMBDA t, e : t \o Edge(e), "", SetToSeq(G.edge))
  IN  (("digraph MyGraph {" \o nodes) \o edges) \o "}"
=============================================================================
