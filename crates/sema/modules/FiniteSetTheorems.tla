------------------------- MODULE FiniteSetTheorems --------------------------
(* Facts about finite sets and the number of their elements. Statements      *)
(* only: cite them in proofs.                                                *)
EXTENDS FiniteSets, Integers, Functions, WellFoundedInduction

(* A set is finite iff it can be enumerated by an initial piece of Nat. *)
LEMMA FS_NatSurjection ==
  ASSUME NEW S
  PROVE  IsFiniteSet(S) <=> \E k \in Nat : ExistsSurjection(1..k, S)

(* The same without repetitions. *)
LEMMA FS_NatBijection ==
  ASSUME NEW S
  PROVE  IsFiniteSet(S) <=> \E k \in Nat : ExistsBijection(1..k, S)

(* The cardinality is the length of an enumeration without repetitions. *)
LEMMA FS_CountingElements ==
  ASSUME NEW S, NEW k \in Nat, ExistsBijection(1..k, S)
  PROVE  k = Cardinality(S)

(* An enumeration with repetitions bounds the cardinality. *)
THEOREM FS_SurjCardinalityBound ==
  ASSUME NEW S, NEW k \in Nat, ExistsSurjection(1..k, S)
  PROVE  k >= Cardinality(S)

(* The cardinality of a finite set is a natural number. *)
THEOREM FS_CardinalityType ==
  ASSUME NEW S, IsFiniteSet(S)
  PROVE  Cardinality(S) \in Nat /\ ExistsBijection(1..Cardinality(S), S)

(* Sets matched one to one have the same cardinality. *)
THEOREM FS_Bijection ==
  ASSUME NEW S, IsFiniteSet(S), NEW T, ExistsBijection(S, T)
  PROVE  IsFiniteSet(T) /\ Cardinality(S) = Cardinality(T)

(* Sets of the same cardinality can be matched one to one. *)
THEOREM FS_SameCardinalityBij ==
  ASSUME NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T),
         Cardinality(T) = Cardinality(S)
  PROVE  ExistsBijection(S, T)

(* Between such sets, surjections are injections. *)
THEOREM FS_SurjSameCardinalityImpliesInj ==
  ASSUME NEW S, IsFiniteSet(S), NEW T, NEW f \in Surjection(S, T),
         Cardinality(T) = Cardinality(S)
  PROVE  f \in Injection(S, T)

(* A surjection does not lead to a larger set. *)
THEOREM FS_Surjection ==
  ASSUME NEW S, IsFiniteSet(S), NEW T, NEW f \in Surjection(S, T)
  PROVE  /\ IsFiniteSet(T)
         /\ Cardinality(S) >= Cardinality(T)
         /\ f \in Injection(S, T) <=> Cardinality(S) = Cardinality(T)

(* The image of a finite set under an operator is finite. *)
THEOREM FS_Image ==
  ASSUME NEW Op(_), NEW S, IsFiniteSet(S)
  PROVE  /\ IsFiniteSet({Op(x) : x \in S})
         /\ Cardinality({Op(x) : x \in S}) <= Cardinality(S)

(* An injection does not lead to a smaller set. *)
THEOREM FS_Injection ==
  ASSUME NEW T, IsFiniteSet(T), NEW S, NEW f \in Injection(S, T)
  PROVE  /\ IsFiniteSet(S)
         /\ Cardinality(T) >= Cardinality(S)
         /\ f \in Surjection(S, T) <=> Cardinality(S) = Cardinality(T)

(* A function to a smaller set takes some value twice. *)
THEOREM FS_PigeonHole ==
  ASSUME NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T),
         Cardinality(S) > Cardinality(T), NEW f \in [S -> T]
  PROVE  \E x \in S : \E y \in S \ {x} : f[x] = f[y]

(* The empty set is the one of cardinality 0. *)
THEOREM FS_EmptySet ==
  /\ IsFiniteSet({}) /\ Cardinality({}) = 0
  /\ \A S : IsFiniteSet(S) => (S = {} <=> Cardinality(S) = 0)

(* Adding an element. *)
THEOREM FS_AddElement ==
  ASSUME NEW S, IsFiniteSet(S), NEW x
  PROVE  /\ IsFiniteSet(S \cup {x})
         /\ Cardinality(S \cup {x}) =
              Cardinality(S) + (IF x \in S THEN 0 ELSE 1)

(* Removing an element. *)
THEOREM FS_RemoveElement ==
  ASSUME NEW S, IsFiniteSet(S), NEW x
  PROVE  /\ IsFiniteSet(S \ {x})
         /\ Cardinality(S \ {x}) =
              Cardinality(S) - (IF x \in S THEN 1 ELSE 0)

(* The sets of cardinality 1 are those with a single element. *)
THEOREM FS_Singleton ==
  /\ \A x : Cardinality({x}) = 1 /\ IsFiniteSet({x})
  /\ \A S : IsFiniteSet(S) => ((\E x : {x} = S) <=> Cardinality(S) = 1)

(* Subsets of a finite set. *)
THEOREM FS_Subset ==
  ASSUME NEW S, IsFiniteSet(S), NEW T \in SUBSET S
  PROVE  /\ IsFiniteSet(T)
         /\ Cardinality(S) >= Cardinality(T)
         /\ Cardinality(T) = Cardinality(S) => T = S

(* Intervals of integers. *)
THEOREM FS_Interval ==
  ASSUME NEW lo \in Int, NEW hi \in Int
  PROVE  /\ IsFiniteSet(lo..hi)
         /\ Cardinality(lo..hi) = IF lo <= hi THEN (hi - lo) + 1 ELSE 0

(* Sets of naturals with an upper bound. *)
THEOREM FS_BoundedSetOfNaturals ==
  ASSUME NEW bound \in Nat, NEW S \in SUBSET Nat, \A x \in S : x <= bound
  PROVE  IsFiniteSet(S) /\ Cardinality(S) <= bound + 1

(* Induction over finite sets, one element at a time. *)
THEOREM FS_Induction ==
  ASSUME NEW P(_), NEW S, IsFiniteSet(S),
         P({}),
         ASSUME NEW T \in SUBSET S, IsFiniteSet(T), NEW x \in S \ T, P(T)
         PROVE  P(T \cup {x})
  PROVE  P(S)

(* The finite subsets of S. *)
FiniteSubsetsOf(S) == {T \in SUBSET S : IsFiniteSet(T)}

(* The pairs of subsets of S of which the first is strictly contained in the *)
(* second.                                                                   *)
StrictSubsetOrdering(S) ==
  {pair \in (SUBSET S) \X (SUBSET S) :
      pair[1] # pair[2] /\ pair[1] \subseteq pair[2]}

(* All subsets of a finite set are finite. *)
LEMMA FS_FiniteSubsetsOfFinite ==
  ASSUME NEW S, IsFiniteSet(S)
  PROVE  SUBSET S = FiniteSubsetsOf(S)

(* Strict inclusion is well-founded on finite sets. *)
THEOREM FS_StrictSubsetOrderingWellFounded ==
  \A S : IsWellFoundedOn(StrictSubsetOrdering(S), FiniteSubsetsOf(S))

(* Well-founded induction over the subsets of a finite set. *)
THEOREM FS_WFInduction ==
  ASSUME NEW P(_), NEW S, IsFiniteSet(S),
         ASSUME NEW T \in SUBSET S, \A U \in SUBSET T : U # T => P(U)
         PROVE  P(T)
  PROVE  P(S)

(* Union of two finite sets. *)
THEOREM FS_Union ==
  ASSUME NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T)
  PROVE  /\ IsFiniteSet(S \cup T)
         /\ Cardinality(S \cup T) =
              (Cardinality(S) + Cardinality(T)) - Cardinality(S \cap T)

(* Two subsets with together more elements than the whole set intersect. *)
THEOREM FS_MajoritiesIntersect ==
  ASSUME NEW U, IsFiniteSet(U), NEW S, S \subseteq U, NEW T, T \subseteq U,
         Cardinality(U) < Cardinality(S) + Cardinality(T)
  PROVE  S \cap T # {}

(* Intersection with a finite set. *)
THEOREM FS_Intersection ==
  ASSUME NEW S, IsFiniteSet(S), NEW T
  PROVE  /\ IsFiniteSet(S \cap T) /\ Cardinality(S \cap T) <= Cardinality(S)
         /\ IsFiniteSet(T \cap S) /\ Cardinality(T \cap S) <= Cardinality(S)

(* Removing any set from a finite set. *)
THEOREM FS_Difference ==
  ASSUME NEW S, IsFiniteSet(S), NEW T
  PROVE  /\ IsFiniteSet(S \ T)
         /\ Cardinality(S \ T) = Cardinality(S) - Cardinality(S \cap T)

(* Union of finitely many finite sets. *)
THEOREM FS_UNION ==
  ASSUME NEW SS, IsFiniteSet(SS), \A S \in SS : IsFiniteSet(S)
  PROVE  IsFiniteSet(UNION SS)

(* Product of two finite sets. *)
THEOREM FS_Product ==
  ASSUME NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T)
  PROVE  /\ IsFiniteSet(S \X T)
         /\ Cardinality(S) * Cardinality(T) = Cardinality(S \X T)

(* Set of all subsets of a finite set. *)
THEOREM FS_SUBSET ==
  ASSUME NEW S, IsFiniteSet(S)
  PROVE  /\ IsFiniteSet(SUBSET S)
         /\ 2^Cardinality(S) = Cardinality(SUBSET S)
=============================================================================
