---------------------------- MODULE BagsTheorems ----------------------------
(* Facts about bags, and two more operators on them. Statements only: cite   *)
(* them in proofs.                                                           *)
EXTENDS Bags, TLAPS, FiniteSetTheorems, SequenceTheorems

(* The bag with n times as many copies of each element as B; empty if n is 0 *)
(* or negative.                                                              *)
Scaling(n, B) == IF n \leq 0 THEN EmptyBag ELSE [x \in DOMAIN B |-> n * B[x]]

(* The bag of elements of the sequence seq. *)
SeqToBag(seq) ==
  [x \in Range(seq) |-> Cardinality({k \in DOMAIN seq : x = seq[k]})]

(* \sqsubseteq is a partial order. *)
THEOREM Bags_SqsubsetPO_Reflexivity ==
  ASSUME NEW B, IsABag(B)
  PROVE  B \sqsubseteq B

THEOREM Bags_SqsubseteqPO_AntiSymmetry ==
  ASSUME NEW A, IsABag(A), NEW B, IsABag(B),
         A \sqsubseteq B, B \sqsubseteq A
  PROVE  A = B

THEOREM Bags_SqsubseteqPO_Transitivity ==
  ASSUME NEW A, IsABag(A), NEW B, IsABag(B), NEW C, IsABag(C),
         A \sqsubseteq B, B \sqsubseteq C
  PROVE  A \sqsubseteq C

(* The empty bag is the least bag. *)
THEOREM Bags_EmptyBag ==
  ASSUME NEW B, IsABag(B)
  PROVE  /\ IsABag(EmptyBag)
         /\ DOMAIN EmptyBag = {}
         /\ DOMAIN B = {} <=> B = EmptyBag
         /\ EmptyBag \sqsubseteq B
         /\ ~ \E x : BagIn(x, EmptyBag)

(* Scaling by 0, by 1, and twice. *)
THEOREM Bags_Scaling ==
  ASSUME NEW B, IsABag(B), NEW m \in Nat, NEW n \in Nat
  PROVE  /\ IsABag(Scaling(n, B))
         /\ Scaling(0, B) = EmptyBag
         /\ Scaling(1, B) = B
         /\ Scaling(n, EmptyBag) = EmptyBag
         /\ Scaling(n, Scaling(m, B)) = Scaling(n * m, B)
         /\ n > 0 => DOMAIN B = DOMAIN Scaling(n, B)

(* From a set to a bag and back, and the other way round. *)
THEOREM Bags_Inverse == \A S : S = BagToSet(SetToBag(S))

THEOREM Bags_Inverse1 ==
  ASSUME NEW B, IsABag(B)
  PROVE  SetToBag(BagToSet(B)) \sqsubseteq B

(* Different sets give different bags. *)
THEOREM Bags_SetToBagEquality ==
  \A S, T : SetToBag(S) = SetToBag(T) <=> S = T

(* Elements and copies of a bag union. *)
THEOREM Bags_Union ==
  ASSUME NEW A, IsABag(A), NEW B, IsABag(B)
  PROVE  /\ IsABag(A (+) B)
         /\ DOMAIN (A (+) B) = DOMAIN B \cup DOMAIN A
         /\ \A x : CopiesIn(x, A) + CopiesIn(x, B) = CopiesIn(x, A (+) B)

(* Elements and copies of a bag difference. *)
THEOREM Bags_Difference ==
  ASSUME NEW A, IsABag(A), NEW B, IsABag(B)
  PROVE  /\ IsABag(A (-) B)
         /\ DOMAIN (A (-) B) = {x \in DOMAIN A : x \in DOMAIN B => A[x] > B[x]}
         /\ \A x : CopiesIn(x, A (-) B) =
                     IF ~ BagIn(x, A (-) B) THEN 0
                     ELSE CopiesIn(x, A) - CopiesIn(x, B)

(* Bag union is commutative and associative. *)
THEOREM Bags_UnionCommutative ==
  ASSUME NEW A, IsABag(A), NEW B, IsABag(B)
  PROVE  A (+) B = B (+) A

THEOREM Bags_UnionAssociative ==
  ASSUME NEW A, IsABag(A), NEW B, IsABag(B), NEW C, IsABag(C)
  PROVE  A (+) (B (+) C) = (A (+) B) (+) C

(* A bag is contained in its union with another. *)
THEOREM Bags_UnionSqSubset ==
  ASSUME NEW A, IsABag(A), NEW B, IsABag(B)
  PROVE  A \sqsubseteq (A (+) B)

(* A larger factor gives a larger bag. *)
THEOREM Bags_ScalingMonotonic ==
  ASSUME NEW B, IsABag(B), NEW m \in Nat, NEW n \in Nat, n >= m
  PROVE  Scaling(m, B) \sqsubseteq Scaling(n, B)

(* A difference is contained in its first operand. *)
THEOREM Bags_DifferenceSqsubset ==
  ASSUME NEW A, IsABag(A), NEW B, IsABag(B)
  PROVE  (A (-) B) \sqsubseteq A

(* The empty bag is neutral. *)
THEOREM Bags_EmptyBagOperations ==
  ASSUME NEW B, IsABag(B)
  PROVE  B (-) EmptyBag = B /\ B (+) EmptyBag = B

(* SetToBag gives a bag. *)
THEOREM Bags_SetToBagIsABag == \A S : IsABag(SetToBag(S))

(* A larger bag has more elements and copies. *)
THEOREM Bags_CopiesInBagsInMonotone ==
  ASSUME NEW A, IsABag(A), NEW B, IsABag(B), A \sqsubseteq B, NEW x
  PROVE  /\ CopiesIn(x, B) >= CopiesIn(x, A)
         /\ BagIn(x, A) => BagIn(x, B)

(* Copies after scaling. *)
THEOREM Bags_CopiesInScaling ==
  ASSUME NEW B, IsABag(B), NEW n \in Nat, NEW x
  PROVE  n * CopiesIn(x, B) = CopiesIn(x, Scaling(n, B))

(* Copies in the bag of a set. *)
THEOREM Bags_CopiesInSetToBag ==
  ASSUME NEW S, NEW x
  PROVE  CopiesIn(x, SetToBag(S)) = IF x \notin S THEN 0 ELSE 1

(* SeqToBag gives a bag. *)
THEOREM Bags_IsABagSeqToBag ==
  ASSUME NEW S, NEW seq \in Seq(S)
  PROVE  IsABag(SeqToBag(seq))
=============================================================================
