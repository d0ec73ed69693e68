----------------------- MODULE FiniteSetsExt_theorems -----------------------
(* The facts about MapThenSumSet under the names that they had before module *)
(* FiniteSetsExtTheorems. Statements only: cite them in proofs.              *)
EXTENDS FiniteSetsExt, FiniteSets, Naturals

(* The sum over the empty set. *)
LEMMA MapThenSumSetEmpty ==
  ASSUME NEW op(_)
  PROVE  0 = MapThenSumSet(op, {})

(* The type of the sum. *)
LEMMA MapThenSumSetType ==
  ASSUME NEW S, NEW op(_), IsFiniteSet(S), \A x \in S : op(x) \in Nat
  PROVE  MapThenSumSet(op, S) \in Nat

(* One more element. *)
THEOREM MapThenSumSetAddElem ==
  ASSUME NEW S, NEW op(_), NEW e, IsFiniteSet(S), e \notin S,
         \A x \in S \cup {e} : op(x) \in Nat
  PROVE  MapThenSumSet(op, {e} \cup S) = op(e) + MapThenSumSet(op, S)

(* One element less. *)
LEMMA MapThenSumSetRemElem ==
  ASSUME NEW S, NEW op(_), NEW e \in S, IsFiniteSet(S),
         \A x \in S : op(x) \in Nat
  PROVE  op(e) + MapThenSumSet(op, S \ {e}) = MapThenSumSet(op, S)

(* The sum does not become smaller with one more element. *)
LEMMA MapThenSumSetMonotonic ==
  ASSUME NEW S, NEW op(_), NEW e, IsFiniteSet(S), e \notin S,
         \A x \in S \cup {e} : op(x) \in Nat
  PROVE  MapThenSumSet(op, S) \leq MapThenSumSet(op, {e} \cup S)

(* Nor with a greater function. *)
LEMMA MapThenSumSetMonotonicOpGE ==
  ASSUME NEW S, NEW op1(_), NEW op2(_), IsFiniteSet(S),
         \A x \in S : op1(x) \in Nat /\ op2(x) \in Nat /\ op1(x) \leq op2(x)
  PROVE  MapThenSumSet(op1, S) \leq MapThenSumSet(op2, S)

(* With one that is truly greater somewhere, the sum is. *)
LEMMA MapThenSumSetMonotonicOpGT ==
  ASSUME NEW S, NEW op1(_), NEW op2(_), IsFiniteSet(S),
         \A x \in S : op1(x) \in Nat /\ op2(x) \in Nat /\ op1(x) \leq op2(x),
         \E x \in S : op1(x) < op2(x)
  PROVE  MapThenSumSet(op1, S) < MapThenSumSet(op2, S)

(* Only zeros sum up to zero. *)
LEMMA MapThenSumSetZero ==
  ASSUME NEW S, NEW op(_), IsFiniteSet(S), \A x \in S : op(x) \in Nat,
         0 = MapThenSumSet(op, S)
  PROVE  \A x \in S : 0 = op(x)

(* And zeros do. *)
LEMMA MapThenSumSetZeros ==
  ASSUME NEW S, NEW op(_), IsFiniteSet(S), \A x \in S : 0 = op(x)
  PROVE  0 = MapThenSumSet(op, S)
=============================================================================
