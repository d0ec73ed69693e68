----------------------------- MODULE FiniteSets -----------------------------
(* Tells finite sets from infinite ones, and counts the elements of a finite *)
(* set.                                                                      *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE Sequences

(* TRUE iff the elements of S can be listed in some finite sequence.         *)
IsFiniteSet(S) ==
  \E list \in Seq(S) : S \subseteq {list[i] : i \in 1..Len(list)}

(* The number of elements of the finite set S: the length of a list that     *)
(* names each of them once. An error if S is infinite or not a set.          *)
Cardinality(S) ==
  CHOOSE n \in Nat :
    \E list \in [1..n -> S] :
      /\ S \subseteq {list[i] : i \in 1..n}
      /\ \A i, j \in 1..n : list[i] = list[j] => i = j
=============================================================================
