---------------------------- MODULE Randomization ---------------------------
(* Random subsets of a set, mostly for initial predicates, where they let    *)
(* one check an inductive invariant on a sample of a huge state space.       *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets

(* A random subset of S that has exactly k elements. An error if k is        *)
(* negative or greater than the number of elements of S.                     *)
RandomSubset(k, S) == NATIVE

(* The set of k random subsets of S, in which n is the average number of     *)
(* elements. It may have fewer than k members, since picks can repeat.       *)
RandomSetOfSubsets(k, n, S) == NATIVE

(* The sizes of five sets obtained by RandomSetOfSubsets(k, n, S), which     *)
(* tells how often picks repeat.                                             *)
TestRandomSetOfSubsets(k, n, S) ==
  [trial \in 1..5 |-> Cardinality(RandomSetOfSubsets(k, n, S))]
=============================================================================
