--------------------------- MODULE QuorumTheorems ---------------------------
(* Facts about quorum systems. Statements only: cite them in proofs. *)
EXTENDS Quorum, Integers, FiniteSets

(* Two quorums have a common element. *)
THEOREM QuorumsIntersect ==
  ASSUME NEW S, NEW QS \in QuorumSystem(S), NEW P \in QS, NEW Q \in QS
  PROVE  \E x \in P \cap Q : x \in S

(* What contains a quorum is a quorum. *)
THEOREM QuorumSuperset ==
  ASSUME NEW S, NEW QS \in QuorumSystem(S), NEW Q \in QS,
         NEW T \in SUBSET S, Q \subseteq T
  PROVE  T \in QS

(* The majorities of a non-empty finite set form a quorum system. *)
THEOREM MajoritiesQuorumSystem ==
  ASSUME NEW S, S # {}, IsFiniteSet(S)
  PROVE  LET IsMajority(Q) == Cardinality(S) < 2 * Cardinality(Q)
         IN  {Q \in SUBSET S : IsMajority(Q)} \in QuorumSystem(S)
=============================================================================
