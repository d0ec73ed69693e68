------------------------ MODULE FiniteSetsExtTheorems -----------------------
(* Facts about the operators of module FiniteSetsExt. Statements only: cite  *)
(* them in proofs.                                                           *)
EXTENDS FiniteSetsExt, FiniteSets, Integers

-----------------------------------------------------------------------------
(* FoldSet *)

(* Folding over the empty set. *)
THEOREM FoldSetEmpty ==
  ASSUME NEW op(_, _), NEW base
  PROVE  base = FoldSet(op, base, {})

(* Folding over other sets uses some element first. *)
THEOREM FoldSetNonempty ==
  ASSUME NEW op(_, _), NEW base, NEW S, IsFiniteSet(S), S # {}
  PROVE  \E e \in S : op(e, FoldSet(op, base, S \ {e})) = FoldSet(op, base, S)

(* The type of the result. *)
THEOREM FoldSetType ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         NEW base \in Typ, NEW S \in SUBSET Typ, IsFiniteSet(S)
  PROVE  FoldSet(op, base, S) \in Typ

(* If op is associative and commutative, any element can be used first. *)
THEOREM FoldSetAC ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, NEW S \in SUBSET Typ, IsFiniteSet(S), NEW e \in S
  PROVE  op(e, FoldSet(op, base, S \ {e})) = FoldSet(op, base, S)

(* The same for adding an element. *)
THEOREM FoldSetACAddElement ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, NEW S \in SUBSET Typ, IsFiniteSet(S),
         NEW e \in Typ, e \notin S
  PROVE  FoldSet(op, base, {e} \cup S) = op(e, FoldSet(op, base, S))

(* Folding over two disjoint sets, if moreover base is neutral. *)
THEOREM FoldSetDisjointUnion ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, \A x \in Typ : op(base, x) = x,
         NEW S \in SUBSET Typ, IsFiniteSet(S),
         NEW T \in SUBSET Typ, IsFiniteSet(T), T \cap S = {}
  PROVE  op(FoldSet(op, base, S), FoldSet(op, base, T)) =
         FoldSet(op, base, S \cup T)

-----------------------------------------------------------------------------
(* Sums *)

(* Sums of naturals are naturals. *)
THEOREM SumSetNat ==
  ASSUME NEW S, IsFiniteSet(S), S \subseteq Nat
  PROVE  SumSet(S) \in Nat

(* Sums of integers are integers. *)
THEOREM SumSetInt ==
  ASSUME NEW S, IsFiniteSet(S), S \subseteq Int
  PROVE  SumSet(S) \in Int

(* The empty sum. *)
THEOREM SumSetEmpty == 0 = SumSet({})

(* One number and the rest. *)
THEOREM SumSetNonempty ==
  ASSUME NEW S \in SUBSET Int, IsFiniteSet(S), NEW k \in S
  PROVE  SumSet(S \ {k}) + k = SumSet(S)

(* Adding a number. *)
THEOREM SumSetAddElement ==
  ASSUME NEW S \in SUBSET Int, IsFiniteSet(S), NEW k \in Int, k \notin S
  PROVE  SumSet({k} \cup S) = SumSet(S) + k

(* Summing over two disjoint sets. *)
THEOREM SumSetDisjointUnion ==
  ASSUME NEW S \in SUBSET Int, IsFiniteSet(S),
         NEW T \in SUBSET Int, IsFiniteSet(T), T \cap S = {}
  PROVE  SumSet(S) + SumSet(T) = SumSet(S \cup T)

(* Fewer naturals do not give a larger sum. *)
THEOREM SumSetNatSubset ==
  ASSUME NEW S \in SUBSET Nat, IsFiniteSet(S), NEW T \in SUBSET S
  PROVE  SumSet(S) >= SumSet(T)

(* A sum of naturals is 0 only if all of them are. *)
THEOREM SumSetNatZero ==
  ASSUME NEW S \in SUBSET Nat, IsFiniteSet(S)
  PROVE  (\A k \in S : k = 0) <=> SumSet(S) = 0

-----------------------------------------------------------------------------
(* Products *)

(* Products of naturals are naturals. *)
THEOREM ProductSetNat ==
  ASSUME NEW S, IsFiniteSet(S), S \subseteq Nat
  PROVE  ProductSet(S) \in Nat

(* Products of integers are integers. *)
THEOREM ProductSetInt ==
  ASSUME NEW S, IsFiniteSet(S), S \subseteq Int
  PROVE  ProductSet(S) \in Int

(* The empty product. *)
THEOREM ProductSetEmpty == 1 = ProductSet({})

(* One number and the rest. *)
THEOREM ProductSetNonempty ==
  ASSUME NEW S \in SUBSET Int, IsFiniteSet(S), NEW k \in S
  PROVE  ProductSet(S \ {k}) * k = ProductSet(S)

(* Adding a number. *)
THEOREM ProductSetAddElement ==
  ASSUME NEW S \in SUBSET Int, IsFiniteSet(S), NEW k \in Int, k \notin S
  PROVE  ProductSet({k} \cup S) = ProductSet(S) * k

(* Multiplying over two disjoint sets. *)
THEOREM ProductSetDisjointUnion ==
  ASSUME NEW S \in SUBSET Int, IsFiniteSet(S),
         NEW T \in SUBSET Int, IsFiniteSet(T), T \cap S = {}
  PROVE  ProductSet(S) * ProductSet(T) = ProductSet(S \cup T)

(* A product of naturals is 1 only if all of them are. *)
THEOREM ProductSetNatOne ==
  ASSUME NEW S \in SUBSET Nat, IsFiniteSet(S)
  PROVE  (\A k \in S : k = 1) <=> ProductSet(S) = 1

(* A product is 0 only if one of its factors is. *)
THEOREM ProductSetZero ==
  ASSUME NEW S \in SUBSET Int, IsFiniteSet(S)
  PROVE  0 \in S <=> ProductSet(S) = 0

(* Fewer positive factors do not give a larger product. *)
THEOREM ProductSetNatSubset ==
  ASSUME NEW S \in SUBSET (Nat \ {0}), IsFiniteSet(S), NEW T \in SUBSET S
  PROVE  ProductSet(S) >= ProductSet(T)

-----------------------------------------------------------------------------
(* Sums of images *)

(* Sums of naturals are naturals. *)
THEOREM MapThenSumSetNat ==
  ASSUME NEW op(_), NEW S, IsFiniteSet(S), \A x \in S : op(x) \in Nat
  PROVE  MapThenSumSet(op, S) \in Nat

(* Sums of integers are integers. *)
THEOREM MapThenSumSetInt ==
  ASSUME NEW op(_), NEW S, IsFiniteSet(S), \A x \in S : op(x) \in Int
  PROVE  MapThenSumSet(op, S) \in Int

(* The empty sum. *)
THEOREM MapThenSumSetEmpty ==
  ASSUME NEW op(_)
  PROVE  0 = MapThenSumSet(op, {})

(* One image and the rest. *)
THEOREM MapThenSumSetNonempty ==
  ASSUME NEW op(_), NEW S, IsFiniteSet(S), \A x \in S : op(x) \in Int,
         NEW e \in S
  PROVE  MapThenSumSet(op, S \ {e}) + op(e) = MapThenSumSet(op, S)

(* Adding an element. *)
THEOREM MapThenSumSetAddElement ==
  ASSUME NEW op(_), NEW S, IsFiniteSet(S), NEW e, e \notin S,
         \A x \in {e} \cup S : op(x) \in Int
  PROVE  MapThenSumSet(op, S \cup {e}) = MapThenSumSet(op, S) + op(e)

(* Summing over two disjoint sets. *)
THEOREM MapThenSumSetDisjointUnion ==
  ASSUME NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T), T \cap S = {},
         NEW op(_), \A x \in S \cup T : op(x) \in Int
  PROVE  MapThenSumSet(op, S) + MapThenSumSet(op, T) =
         MapThenSumSet(op, S \cup T)

(* Fewer naturals do not give a larger sum. *)
THEOREM MapThenSumSetNatSubset ==
  ASSUME NEW op(_), NEW S, IsFiniteSet(S), \A x \in S : op(x) \in Nat,
         NEW T \in SUBSET S
  PROVE  MapThenSumSet(op, S) >= MapThenSumSet(op, T)

(* A sum of naturals is 0 only if all of them are. *)
THEOREM MapThenSumSetZero ==
  ASSUME NEW op(_), NEW S, IsFiniteSet(S), \A x \in S : op(x) \in Nat
  PROVE  (\A x \in S : op(x) = 0) <=> MapThenSumSet(op, S) = 0

(* Larger images give a larger sum: weakly, then strictly. *)
THEOREM MapThenSumSetMonotonic ==
  ASSUME NEW S, IsFiniteSet(S), NEW f(_), NEW g(_),
         \A x \in S : f(x) \in Int /\ g(x) \in Int /\ f(x) <= g(x)
  PROVE  MapThenSumSet(f, S) <= MapThenSumSet(g, S)

THEOREM MapThenSumSetStrictlyMonotonic ==
  ASSUME NEW S, IsFiniteSet(S), NEW f(_), NEW g(_),
         \A x \in S : f(x) \in Int /\ g(x) \in Int /\ f(x) <= g(x),
         NEW y \in S, f(y) < g(y)
  PROVE  MapThenSumSet(f, S) < MapThenSumSet(g, S)

-----------------------------------------------------------------------------
(* Maximum and minimum *)

(* An element not smaller than the others is the maximum. *)
THEOREM MaxInt ==
  ASSUME NEW S \in SUBSET Int, NEW top \in S, \A k \in S : k <= top
  PROVE  top = Max(S)

(* Finite and bounded sets have a maximum. *)
THEOREM MaxIntFinite ==
  ASSUME NEW S \in SUBSET Int, IsFiniteSet(S), S # {}
  PROVE  Max(S) \in S /\ \A k \in S : k <= Max(S)

THEOREM MaxIntBounded ==
  ASSUME NEW S \in SUBSET Int, S # {}, NEW bound \in Int,
         \A k \in S : k <= bound
  PROVE  Max(S) \in S /\ \A k \in S : k <= Max(S)

(* The maximum of an interval. *)
THEOREM MaxInterval ==
  ASSUME NEW lo \in Int, NEW hi \in Int, lo <= hi
  PROVE  hi = Max(lo..hi)

(* An element not greater than the others is the minimum. *)
THEOREM MinInt ==
  ASSUME NEW S \in SUBSET Int, NEW bottom \in S, \A k \in S : bottom <= k
  PROVE  bottom = Min(S)

(* Finite and bounded sets have a minimum. *)
THEOREM MinIntFinite ==
  ASSUME NEW S \in SUBSET Int, IsFiniteSet(S), S # {}
  PROVE  Min(S) \in S /\ \A k \in S : Min(S) <= k

THEOREM MinIntBounded ==
  ASSUME NEW S \in SUBSET Int, S # {}, NEW bound \in Int,
         \A k \in S : bound <= k
  PROVE  Min(S) \in S /\ \A k \in S : Min(S) <= k

(* The minimum of an interval. *)
THEOREM MinInterval ==
  ASSUME NEW lo \in Int, NEW hi \in Int, lo <= hi
  PROVE  lo = Min(lo..hi)

(* Non-empty sets of naturals have a minimum. *)
THEOREM MinNat ==
  ASSUME NEW S \in SUBSET Nat, S # {}
  PROVE  Min(S) \in S /\ \A k \in S : Min(S) <= k

(* What contains a majority is a majority. *)
THEOREM SupersetOfMajorityIsMajority ==
  ASSUME NEW U, IsFiniteSet(U), NEW P \in SUBSET U, NEW Q \in SUBSET U,
         P \subseteq Q, Cardinality(U) < 2 * Cardinality(P)
  PROVE  Cardinality(U) < 2 * Cardinality(Q)
=============================================================================
