-------------------------- MODULE FunctionTheorems --------------------------
(* Facts about functions: restriction, range, inverse, injections,           *)
(* surjections and bijections, their existence, and folds and sums over the  *)
(* values of a function. Statements only: cite them in proofs.               *)
EXTENDS Functions, Integers, FiniteSets

-----------------------------------------------------------------------------
(* Restriction, range, inverse *)

(* Type and values of a restriction. *)
THEOREM Fun_RestrictProperties ==
  ASSUME NEW S, NEW T, NEW f \in [S -> T], NEW D \in SUBSET S
  PROVE  /\ \A x \in D : f[x] = Restrict(f, D)[x]
         /\ Restrict(f, D) \in [D -> T]

(* A function maps its domain onto its range. *)
THEOREM Fun_RangeProperties ==
  ASSUME NEW S, NEW T, NEW f \in [S -> T]
  PROVE  /\ f \in Surjection(S, Range(f))
         /\ Range(f) \subseteq T
         /\ \A y \in Range(f) : \E x \in S : y = f[x]

(* Type and values of an inverse. *)
THEOREM Fun_InverseProperties ==
  ASSUME NEW S, NEW T, NEW f \in [S -> T]
  PROVE  /\ S # {} \/ T = {} => Inverse(f, S, T) \in [T -> S]
         /\ \A y \in Range(f) : y = f[Inverse(f, S, T)[y]]

-----------------------------------------------------------------------------
(* Injections, surjections, bijections *)

(* How to show that a function is an injection. *)
THEOREM Fun_IsInj ==
  ASSUME NEW S, NEW T, NEW f \in [S -> T],
         \A x, y \in S : f[x] = f[y] => x = y
  PROVE  f \in Injection(S, T)

(* How to show that a function is a surjection. *)
THEOREM Fun_IsSurj ==
  ASSUME NEW S, NEW T, NEW f \in [S -> T],
         \A y \in T : \E x \in S : f[x] = y
  PROVE  f \in Surjection(S, T)

(* How to show that a function is a bijection. *)
THEOREM Fun_IsBij ==
  ASSUME NEW S, NEW T, NEW f,
         \/ f \in Injection(S, T)
         \/ f \in [S -> T] /\ \A x, y \in S : f[x] = f[y] => x = y,
         \/ f \in Surjection(S, T)
         \/ f \in [S -> T] /\ \A y \in T : \E x \in S : f[x] = y
  PROVE  f \in Bijection(S, T)

(* What is known of an injection. *)
THEOREM Fun_InjectionProperties ==
  ASSUME NEW S, NEW T, NEW f \in Injection(S, T)
  PROVE  f \in [S -> T] /\ \A x, y \in S : f[x] = f[y] => x = y

(* What is known of a surjection. *)
THEOREM Fun_SurjectionProperties ==
  ASSUME NEW S, NEW T, NEW f \in Surjection(S, T)
  PROVE  /\ f \in [S -> T]
         /\ T = Range(f)
         /\ \A y \in T : \E x \in S : f[x] = y

(* What is known of a bijection. *)
THEOREM Fun_BijectionProperties ==
  ASSUME NEW S, NEW T, NEW f \in Bijection(S, T)
  PROVE  /\ f \in [S -> T]
         /\ f \in Injection(S, T) /\ f \in Surjection(S, T)
         /\ \A x, y \in S : f[x] = f[y] => x = y
         /\ \A y \in T : \E x \in S : f[x] = y

(* A surjection from a set none of whose proper subsets will do is a         *)
(* bijection.                                                                *)
THEOREM Fun_SmallestSurjectionIsBijection ==
  ASSUME NEW S, NEW T, NEW f \in Surjection(S, T),
         \A U \in (SUBSET S) \ {S} : Surjection(U, T) = {}
  PROVE  f \in Bijection(S, T)

(* Injections compose. *)
THEOREM Fun_InjTransitive ==
  ASSUME NEW S, NEW T, NEW U,
         NEW f \in Injection(S, T), NEW g \in Injection(T, U)
  PROVE  [x \in S |-> g[f[x]]] \in Injection(S, U)

(* Surjections compose. *)
THEOREM Fun_SurjTransitive ==
  ASSUME NEW S, NEW T, NEW U,
         NEW f \in Surjection(S, T), NEW g \in Surjection(T, U)
  PROVE  [x \in S |-> g[f[x]]] \in Surjection(S, U)

(* Bijections compose. *)
THEOREM Fun_BijTransitive ==
  ASSUME NEW S, NEW T, NEW U,
         NEW f \in Bijection(S, T), NEW g \in Bijection(T, U)
  PROVE  [x \in S |-> g[f[x]]] \in Bijection(S, U)

(* The inverse of a surjection is an injection. *)
THEOREM Fun_SurjInverse ==
  ASSUME NEW S, NEW T, NEW f \in Surjection(S, T)
  PROVE  Inverse(f, S, T) \in Injection(T, S)

(* The inverse of an injection is a surjection. *)
THEOREM Fun_InjInverse ==
  ASSUME NEW S, NEW T, NEW f \in Injection(S, T), S # {} \/ T = {}
  PROVE  Inverse(f, S, T) \in Surjection(T, S)

(* The inverse of a bijection. *)
THEOREM Fun_BijInverse ==
  ASSUME NEW S, NEW T, NEW f \in Bijection(S, T)
  PROVE  LET inv == Inverse(f, S, T)
         IN  /\ inv \in Bijection(T, S)
             /\ \A x \in S : inv[f[x]] = x
             /\ Inverse(inv, T, S) = f

(* A restriction of a bijection is a bijection onto its range. *)
THEOREM Fun_BijRestrict ==
  ASSUME NEW S, NEW T, NEW f \in Bijection(S, T), NEW D \in SUBSET S
  PROVE  Restrict(f, D) \in Bijection(D, Range(Restrict(f, D)))

(* An injection is a bijection onto its range. *)
THEOREM Fun_InjMeansBijImage ==
  ASSUME NEW S, NEW T, NEW f \in Injection(S, T)
  PROVE  f \in Bijection(S, Range(f))

-----------------------------------------------------------------------------
(* Existence *)

(* What existence of an injection means. *)
THEOREM Fun_ExistsInj ==
  \A S, T : Injection(S, T) # {} <=> ExistsInjection(S, T)

(* What existence of a surjection means. *)
THEOREM Fun_ExistsSurj ==
  \A S, T : Surjection(S, T) # {} <=> ExistsSurjection(S, T)

(* What existence of a bijection means. *)
THEOREM Fun_ExistsBij ==
  \A S, T : Bijection(S, T) # {} <=> ExistsBijection(S, T)

(* A set can be mapped onto each of its non-empty subsets. *)
THEOREM Fun_ExistsSurjSubset ==
  ASSUME NEW S, NEW T \in (SUBSET S) \ {{}}
  PROVE  ExistsSurjection(S, T)

(* A surjection can be turned around to give an injection. *)
THEOREM Fun_ExistsSurjMeansExistsRevInj ==
  ASSUME NEW S, NEW T, ExistsSurjection(S, T)
  PROVE  ExistsInjection(T, S)

(* Existence of bijections is an equivalence. *)
THEOREM Fun_ExistsBijReflexive == \A S : ExistsBijection(S, S)

THEOREM Fun_ExistsBijSymmetric ==
  ASSUME NEW T, NEW S, ExistsBijection(S, T)
  PROVE  ExistsBijection(T, S)

THEOREM Fun_ExistsBijTransitive ==
  ASSUME NEW T, NEW S, ExistsBijection(S, T), NEW U, ExistsBijection(T, U)
  PROVE  ExistsBijection(S, U)

(* Existence of injections and of surjections is reflexive and transitive. *)
THEOREM Fun_ExistsInjReflexive == \A S : ExistsInjection(S, S)

THEOREM Fun_ExistsSurjReflexive == \A S : ExistsSurjection(S, S)

THEOREM Fun_ExistsInjTransitive ==
  ASSUME NEW T, NEW S, ExistsInjection(S, T), NEW U, ExistsInjection(T, U)
  PROVE  ExistsInjection(S, U)

THEOREM Fun_ExistsSurjTransitive ==
  ASSUME NEW T, NEW S, ExistsSurjection(S, T), NEW U, ExistsSurjection(T, U)
  PROVE  ExistsSurjection(S, U)

(* Injections both ways give a bijection: the case of a subset, then the     *)
(* general one.                                                              *)
THEOREM Fun_CantorBernsteinSchroeder_Lemma ==
  ASSUME NEW S, NEW T \in SUBSET S, ExistsInjection(S, T)
  PROVE  ExistsBijection(S, T)

THEOREM Fun_CantorBernsteinSchroeder ==
  ASSUME NEW T, NEW S, ExistsInjection(S, T), ExistsInjection(T, S)
  PROVE  ExistsBijection(S, T)

(* An injection and a surjection give a bijection. *)
THEOREM Fun_ExistInjAndSurjThenBij ==
  ASSUME NEW T, NEW S, ExistsInjection(S, T), ExistsSurjection(S, T)
  PROVE  ExistsBijection(S, T)

(* Surjections both ways give a bijection. *)
THEOREM Fun_ExistSurjAndSurjThenBij ==
  ASSUME NEW T, NEW S, ExistsSurjection(S, T), ExistsSurjection(T, S)
  PROVE  ExistsBijection(S, T)

(* All the ways to tell that there is a bijection. *)
THEOREM Fun_ExistsBijEquiv ==
  ASSUME NEW S, NEW T
  PROVE  /\ ExistsBijection(S, T) <=> ExistsBijection(T, S)
         /\ ExistsBijection(S, T) <=>
              (ExistsInjection(S, T) /\ ExistsInjection(T, S))
         /\ ExistsBijection(S, T) <=>
              (ExistsInjection(S, T) /\ ExistsSurjection(S, T))
         /\ ExistsBijection(S, T) <=>
              (ExistsSurjection(T, S) /\ ExistsInjection(T, S))
         /\ ExistsBijection(S, T) <=>
              (ExistsSurjection(S, T) /\ ExistsSurjection(T, S))

-----------------------------------------------------------------------------
(* Counting by intervals of naturals *)

(* An interval can be numbered from 1. *)
THEOREM Fun_ExistsBijInterval ==
  ASSUME NEW lo \in Int, NEW hi \in Int, lo <= hi
  PROVE  ExistsBijection(1..((hi - lo) + 1), lo..hi)

(* Injections between intervals compare their lengths. *)
THEOREM Fun_NatInjLeq ==
  ASSUME NEW m \in Nat, NEW n \in Nat
  PROVE  n <= m <=> ExistsInjection(1..n, 1..m)

(* Repetitions can be dropped from an enumeration. *)
THEOREM Fun_NatSurjImpliesNatBij ==
  ASSUME NEW S, NEW n \in Nat, ExistsSurjection(1..n, S)
  PROVE  \E m \in 0..n : ExistsBijection(1..m, S)

THEOREM Fun_NatSurjEquivNatBij ==
  ASSUME NEW S
  PROVE  (\E m \in Nat : ExistsBijection(1..m, S))
           <=> (\E n \in Nat : ExistsSurjection(1..n, S))

(* The number of elements is unique. *)
THEOREM Fun_NatBijSame ==
  ASSUME NEW S, NEW m \in Nat, NEW n \in Nat,
         ExistsBijection(1..m, S), ExistsBijection(1..n, S)
  PROVE  m = n

(* The set with no elements. *)
THEOREM Fun_NatBijEmpty == \A S : S = {} <=> ExistsBijection(1..0, S)

(* Sets with one element. *)
THEOREM Fun_NatBijSingleton ==
  \A S : (\E x : {x} = S) <=> ExistsBijection(1..1, S)

(* A subset does not have more elements. *)
THEOREM Fun_NatBijSubset ==
  ASSUME NEW S, NEW m \in Nat, ExistsBijection(1..m, S), NEW T \in SUBSET S
  PROVE  \E n \in 0..m : ExistsBijection(1..n, T)

(* Adding an element. *)
THEOREM Fun_NatBijAddElem ==
  ASSUME NEW S, NEW x, x \notin S, NEW m \in Nat, ExistsBijection(1..m, S)
  PROVE  ExistsBijection(1..(m + 1), {x} \cup S)

(* Removing an element. *)
THEOREM Fun_NatBijSubElem ==
  ASSUME NEW S, NEW x \in S, NEW m \in Nat, ExistsBijection(1..m, S)
  PROVE  ExistsBijection(1..(m - 1), S \ {x})

-----------------------------------------------------------------------------
(* Folds over a set of arguments. In many of these statements op is assumed  *)
(* to be closed on Typ, commutative and associative.                         *)

(* Folding over no argument. *)
THEOREM FoldFunctionOnSetEmpty ==
  ASSUME NEW op(_, _), NEW base, NEW fun
  PROVE  base = FoldFunctionOnSet(op, base, fun, {})

(* Folding over some arguments uses one of them first. *)
THEOREM FoldFunctionOnSetNonempty ==
  ASSUME NEW op(_, _), NEW base, NEW fun,
         NEW indices, IsFiniteSet(indices), indices # {}
  PROVE  \E i \in indices :
           LET rest == FoldFunctionOnSet(op, base, fun, indices \ {i})
           IN  FoldFunctionOnSet(op, base, fun, indices) = op(fun[i], rest)

(* The type of a fold. *)
THEOREM FoldFunctionOnSetType ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         NEW base \in Typ, NEW fun, NEW indices, IsFiniteSet(indices),
         \A i \in indices : fun[i] \in Typ
  PROVE  FoldFunctionOnSet(op, base, fun, indices) \in Typ

(* Only the values at the arguments matter. *)
THEOREM FoldFunctionOnSetEqual ==
  ASSUME NEW op(_, _), NEW base, NEW indices, IsFiniteSet(indices),
         NEW f, NEW g, \A i \in indices : f[i] = g[i]
  PROVE  FoldFunctionOnSet(op, base, g, indices) =
         FoldFunctionOnSet(op, base, f, indices)

(* Any argument can be used first. *)
THEOREM FoldFunctionOnSetAC ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, NEW fun, NEW indices, IsFiniteSet(indices),
         \A j \in indices : fun[j] \in Typ, NEW i \in indices
  PROVE  LET rest == FoldFunctionOnSet(op, base, fun, indices \ {i})
         IN  FoldFunctionOnSet(op, base, fun, indices) = op(fun[i], rest)

(* Adding an argument. *)
THEOREM FoldFunctionOnSetACAddIndex ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, NEW fun, NEW indices, IsFiniteSet(indices),
         NEW i, i \notin indices, \A j \in {i} \cup indices : fun[j] \in Typ
  PROVE  FoldFunctionOnSet(op, base, fun, indices \cup {i}) =
         op(fun[i], FoldFunctionOnSet(op, base, fun, indices))

(* Changing one value. *)
THEOREM FoldFunctionOnSetACExcept ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, NEW fun, NEW i, NEW new \in Typ,
         NEW indices \in SUBSET DOMAIN fun, IsFiniteSet(indices),
         \A j \in indices : fun[j] \in Typ
  PROVE  FoldFunctionOnSet(op, base, [fun EXCEPT ![i] = new], indices) =
         IF i \notin indices
         THEN FoldFunctionOnSet(op, base, fun, indices)
         ELSE op(new, FoldFunctionOnSet(op, base, fun, indices \ {i}))

(* Folding over two disjoint sets, if base is neutral. *)
THEOREM FoldFunctionOnSetDisjointUnion ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, \A x \in Typ : op(base, x) = x,
         NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T), T \cap S = {},
         NEW fun, \A i \in S \cup T : fun[i] \in Typ
  PROVE  FoldFunctionOnSet(op, base, fun, S \cup T) =
         op(FoldFunctionOnSet(op, base, fun, S),
            FoldFunctionOnSet(op, base, fun, T))

(* The same for a fold over the whole domain: the empty function, a first    *)
(* argument, the type, any argument first, and a change of one value.        *)
THEOREM FoldFunctionEmpty ==
  ASSUME NEW op(_, _), NEW base, NEW fun, {} = DOMAIN fun
  PROVE  base = FoldFunction(op, base, fun)

THEOREM FoldFunctionNonempty ==
  ASSUME NEW op(_, _), NEW base, NEW fun,
         IsFiniteSet(DOMAIN fun), {} # DOMAIN fun
  PROVE  \E i \in DOMAIN fun :
           LET rest == FoldFunctionOnSet(op, base, fun, (DOMAIN fun) \ {i})
           IN  FoldFunction(op, base, fun) = op(fun[i], rest)

THEOREM FoldFunctionType ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         NEW base \in Typ, NEW fun, IsFiniteSet(DOMAIN fun),
         \A i \in DOMAIN fun : fun[i] \in Typ
  PROVE  FoldFunction(op, base, fun) \in Typ

THEOREM FoldFunctionAC ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, NEW fun, IsFiniteSet(DOMAIN fun),
         \A j \in DOMAIN fun : fun[j] \in Typ, NEW i \in DOMAIN fun
  PROVE  LET rest == FoldFunctionOnSet(op, base, fun, (DOMAIN fun) \ {i})
         IN  FoldFunction(op, base, fun) = op(fun[i], rest)

THEOREM FoldFunctionACExcept ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, NEW fun, IsFiniteSet(DOMAIN fun),
         \A j \in DOMAIN fun : fun[j] \in Typ, NEW i, NEW new \in Typ
  PROVE  FoldFunction(op, base, [fun EXCEPT ![i] = new]) =
         IF i \notin DOMAIN fun
         THEN FoldFunction(op, base, fun)
         ELSE op(new, FoldFunctionOnSet(op, base, fun, (DOMAIN fun) \ {i}))

-----------------------------------------------------------------------------
(* Sums over a set of arguments *)

(* Sums of naturals are naturals. *)
THEOREM SumFunctionOnSetNat ==
  ASSUME NEW indices, IsFiniteSet(indices),
         NEW fun, \A i \in indices : fun[i] \in Nat
  PROVE  SumFunctionOnSet(fun, indices) \in Nat

(* Sums of integers are integers. *)
THEOREM SumFunctionOnSetInt ==
  ASSUME NEW indices, IsFiniteSet(indices),
         NEW fun, \A i \in indices : fun[i] \in Int
  PROVE  SumFunctionOnSet(fun, indices) \in Int

(* Only the values at the arguments matter. *)
THEOREM SumFunctionOnSetEqual ==
  ASSUME NEW indices, IsFiniteSet(indices),
         NEW f, NEW g, \A i \in indices : f[i] = g[i]
  PROVE  SumFunctionOnSet(g, indices) = SumFunctionOnSet(f, indices)

(* The empty sum. *)
THEOREM SumFunctionOnSetEmpty == \A fun : SumFunctionOnSet(fun, {}) = 0

(* One value and the rest. *)
THEOREM SumFunctionOnSetNonempty ==
  ASSUME NEW indices, IsFiniteSet(indices),
         NEW fun, \A j \in indices : fun[j] \in Int, NEW i \in indices
  PROVE  SumFunctionOnSet(fun, indices) =
         SumFunctionOnSet(fun, indices \ {i}) + fun[i]

(* Adding an argument. *)
THEOREM SumFunctionOnSetAddIndex ==
  ASSUME NEW indices, IsFiniteSet(indices), NEW i, i \notin indices,
         NEW fun, \A j \in {i} \cup indices : fun[j] \in Int
  PROVE  SumFunctionOnSet(fun, indices \cup {i}) =
         SumFunctionOnSet(fun, indices) + fun[i]

(* Removing an argument. *)
THEOREM SumFunctionOnSetRemoveIndex ==
  ASSUME NEW indices, IsFiniteSet(indices), NEW i \in indices,
         NEW fun, \A j \in indices : fun[j] \in Int
  PROVE  SumFunctionOnSet(fun, indices) - fun[i] =
         SumFunctionOnSet(fun, indices \ {i})

(* Changing one value. *)
THEOREM SumFunctionOnSetExcept ==
  ASSUME NEW fun, NEW indices \in SUBSET DOMAIN fun, IsFiniteSet(indices),
         \A j \in indices : fun[j] \in Int, NEW i, NEW new \in Int
  PROVE  SumFunctionOnSet([fun EXCEPT ![i] = new], indices) =
         IF i \notin indices
         THEN SumFunctionOnSet(fun, indices)
         ELSE (SumFunctionOnSet(fun, indices) - fun[i]) + new

(* Summing over two disjoint sets. *)
THEOREM SumFunctionOnSetDisjointUnion ==
  ASSUME NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T), T \cap S = {},
         NEW fun, \A i \in S \cup T : fun[i] \in Int
  PROVE  SumFunctionOnSet(fun, S) + SumFunctionOnSet(fun, T) =
         SumFunctionOnSet(fun, S \cup T)

(* Fewer naturals do not give a larger sum. *)
THEOREM SumFunctionNatOnSubset ==
  ASSUME NEW S, IsFiniteSet(S), NEW fun, \A i \in S : fun[i] \in Nat,
         NEW T \in SUBSET S
  PROVE  SumFunctionOnSet(fun, S) >= SumFunctionOnSet(fun, T)

(* A sum of naturals is 0 only if all of them are. *)
THEOREM SumFunctionOnSetZero ==
  ASSUME NEW S, IsFiniteSet(S), NEW fun, \A i \in S : fun[i] \in Nat
  PROVE  (\A i \in S : fun[i] = 0) <=> SumFunctionOnSet(fun, S) = 0

(* A sum of equal values is a product. *)
THEOREM SumFunctionOnSetConst ==
  ASSUME NEW D, NEW f \in [D -> Int], NEW S \in SUBSET D, IsFiniteSet(S),
         NEW c \in Int, \A x \in S : c = f[x]
  PROVE  SumFunctionOnSet(f, S) = Cardinality(S) * c

(* Larger values give a larger sum: weakly, then strictly. *)
THEOREM SumFunctionOnSetMonotonic ==
  ASSUME NEW S, IsFiniteSet(S), NEW f, NEW g,
         \A x \in S : f[x] \in Int /\ g[x] \in Int /\ f[x] <= g[x]
  PROVE  SumFunctionOnSet(f, S) <= SumFunctionOnSet(g, S)

THEOREM SumFunctionOnSetStrictlyMonotonic ==
  ASSUME NEW S, IsFiniteSet(S), NEW f, NEW g,
         \A x \in S : f[x] \in Int /\ g[x] \in Int /\ f[x] <= g[x],
         NEW y \in S, f[y] < g[y]
  PROVE  SumFunctionOnSet(f, S) < SumFunctionOnSet(g, S)

-----------------------------------------------------------------------------
(* Sums over the whole domain *)

(* Sums of naturals are naturals. *)
THEOREM SumFunctionNat ==
  ASSUME NEW fun, IsFiniteSet(DOMAIN fun), Range(fun) \subseteq Nat
  PROVE  SumFunction(fun) \in Nat

(* Sums of integers are integers. *)
THEOREM SumFunctionInt ==
  ASSUME NEW fun, IsFiniteSet(DOMAIN fun), Range(fun) \subseteq Int
  PROVE  SumFunction(fun) \in Int

(* The empty sum. *)
THEOREM SumFunctionEmpty == \A fun : DOMAIN fun = {} => SumFunction(fun) = 0

(* One value and the rest. *)
THEOREM SumFunctionNonempty ==
  ASSUME NEW fun, IsFiniteSet(DOMAIN fun),
         \A i \in DOMAIN fun : fun[i] \in Int, NEW x \in DOMAIN fun
  PROVE  SumFunction(fun) = SumFunctionOnSet(fun, (DOMAIN fun) \ {x}) + fun[x]

(* Changing one value. *)
THEOREM SumFunctionExcept ==
  ASSUME NEW fun, IsFiniteSet(DOMAIN fun),
         \A x \in DOMAIN fun : fun[x] \in Int, NEW i, NEW new \in Int
  PROVE  SumFunction([fun EXCEPT ![i] = new]) =
         IF i \notin DOMAIN fun
         THEN SumFunction(fun)
         ELSE (SumFunction(fun) - fun[i]) + new

(* A sum of naturals is 0 only if all of them are. *)
THEOREM SumFunctionZero ==
  ASSUME NEW fun, IsFiniteSet(DOMAIN fun), \A x \in DOMAIN fun : fun[x] \in Nat
  PROVE  (\A x \in DOMAIN fun : fun[x] = 0) <=> SumFunction(fun) = 0

(* A sum of equal values is a product. *)
THEOREM SumFunctionConst ==
  ASSUME NEW S, IsFiniteSet(S), NEW c \in Int
  PROVE  Cardinality(S) * c = SumFunction([x \in S |-> c])

(* Larger values give a larger sum: weakly, then strictly. *)
THEOREM SumFunctionMonotonic ==
  ASSUME NEW f, IsFiniteSet(DOMAIN f), NEW g, DOMAIN f = DOMAIN g,
         \A x \in DOMAIN f : f[x] \in Int /\ g[x] \in Int /\ f[x] <= g[x]
  PROVE  SumFunction(f) <= SumFunction(g)

THEOREM SumFunctionStrictlyMonotonic ==
  ASSUME NEW f, IsFiniteSet(DOMAIN f), NEW g, DOMAIN f = DOMAIN g,
         \A x \in DOMAIN f : f[x] \in Int /\ g[x] \in Int /\ f[x] <= g[x],
         NEW y \in DOMAIN f, f[y] < g[y]
  PROVE  SumFunction(f) < SumFunction(g)
=============================================================================
