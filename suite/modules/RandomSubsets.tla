---------------------------- MODULE RandomSubsets ---------------------------
(* Randomization: what does not depend on chance. Sizes, membership, and     *)
(* the edges of the range.                                                   *)
EXTENDS Naturals, FiniteSets, Randomization

VARIABLE s

ASSUME Cardinality(RandomSubset(3, 1..10)) = 3
ASSUME RandomSubset(3, 1..10) \subseteq 1..10
ASSUME RandomSubset(4, 1..4) = 1..4
ASSUME RandomSubset(0, 1..4) = {}
ASSUME Cardinality(RandomSetOfSubsets(5, 2, 1..6)) <= 5
ASSUME RandomSetOfSubsets(5, 2, 1..6) \subseteq SUBSET (1..6)
ASSUME DOMAIN TestRandomSetOfSubsets(3, 1, 1..3) = 1..5

\* Any four of six; the number of states is the same for every seed.
Init == s \in RandomSubset(4, 1..6)
Next == s' = s
InRange == s \in 1..6
=============================================================================
