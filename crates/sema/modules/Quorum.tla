------------------------------- MODULE Quorum -------------------------------
(* Quorum systems, as used by algorithms that act on the votes of some of    *)
(* their members, such as a majority.                                        *)

(* All quorum systems on S: non-empty sets of subsets of S (the quorums)     *)
(* such that any two quorums have a common element and every subset of S     *)
(* that contains a quorum is a quorum.                                       *)
QuorumSystem(S) ==
  {QS \in SUBSET SUBSET S :
      /\ QS # {}
      /\ \A P, Q \in QS : P \cap Q # {}
      /\ \A Q \in QS : \A T \in SUBSET S : Q \subseteq T => T \in QS}
=============================================================================
