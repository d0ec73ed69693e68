---------------------------- MODULE FoldsTheorems ---------------------------
(* Facts about MapThenFoldSet. Statements only: cite them in proofs. In most *)
(* of them, choose is assumed to pick an element of every non-empty subset.  *)
EXTENDS Folds, FiniteSets

(* MapThenFoldSet satisfies the equation that defines it. *)
THEOREM MapThenFoldSetDef ==
  ASSUME NEW op(_, _), NEW base, NEW f(_), NEW choose(_),
         NEW S, IsFiniteSet(S),
         \A T \in (SUBSET S) \ {{}} : choose(T) \in T
  PROVE  MapThenFoldSet(op, base, f, choose, S) =
         IF S # {}
         THEN op(f(choose(S)),
                 MapThenFoldSet(op, base, f, choose, S \ {choose(S)}))
         ELSE base

(* The two cases of this equation. *)
THEOREM MapThenFoldSetEmpty ==
  ASSUME NEW op(_, _), NEW base, NEW f(_), NEW choose(_)
  PROVE  base = MapThenFoldSet(op, base, f, choose, {})

THEOREM MapThenFoldSetNonempty ==
  ASSUME NEW op(_, _), NEW base, NEW f(_), NEW choose(_),
         NEW S, IsFiniteSet(S), S # {},
         \A T \in (SUBSET S) \ {{}} : choose(T) \in T
  PROVE  MapThenFoldSet(op, base, f, choose, S) =
         op(f(choose(S)),
            MapThenFoldSet(op, base, f, choose, S \ {choose(S)}))

(* Folds over sets that a bijection relates give the same result, if it      *)
(* respects images and picks.                                                *)
THEOREM MapThenFoldSetBijection ==
  ASSUME NEW op(_, _), NEW base,
         NEW S, IsFiniteSet(S), NEW f(_), NEW choose(_),
         \A U \in (SUBSET S) \ {{}} : choose(U) \in U,
         NEW T, IsFiniteSet(T), NEW g(_), NEW pick(_),
         \A U \in (SUBSET T) \ {{}} : pick(U) \in U,
         NEW bij(_),
         \A x \in S : bij(x) \in T,
         \A x, y \in S : x # y => bij(x) # bij(y),
         \A z \in T : \E x \in S : z = bij(x),
         \A x \in S : f(x) = g(bij(x)),
         \A U \in (SUBSET S) \ {{}} : pick({bij(x) : x \in U}) = bij(choose(U))
  PROVE  MapThenFoldSet(op, base, g, pick, T) =
         MapThenFoldSet(op, base, f, choose, S)

(* Only the images of the elements matter. *)
THEOREM MapThenFoldSetEqual ==
  ASSUME NEW op(_, _), NEW base, NEW S, IsFiniteSet(S), NEW choose(_),
         \A T \in (SUBSET S) \ {{}} : choose(T) \in T,
         NEW f(_), NEW g(_), \A x \in S : f(x) = g(x)
  PROVE  MapThenFoldSet(op, base, g, choose, S) =
         MapThenFoldSet(op, base, f, choose, S)

(* The type of the result. *)
THEOREM MapThenFoldSetType ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         NEW base \in Typ, NEW S, IsFiniteSet(S), NEW f(_), NEW choose(_),
         \A T \in (SUBSET S) \ {{}} : choose(T) \in T,
         \A x \in S : f(x) \in Typ
  PROVE  MapThenFoldSet(op, base, f, choose, S) \in Typ

(* If op is associative and commutative, any element can be used first. *)
THEOREM MapThenFoldSetAC ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, NEW S, IsFiniteSet(S), NEW f(_), NEW choose(_),
         \A T \in (SUBSET S) \ {{}} : choose(T) \in T,
         \A x \in S : f(x) \in Typ, NEW e \in S
  PROVE  MapThenFoldSet(op, base, f, choose, S) =
         op(f(e), MapThenFoldSet(op, base, f, choose, S \ {e}))

(* The same for adding an element. *)
THEOREM MapThenFoldSetACAddElement ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, NEW S, IsFiniteSet(S), NEW e, e \notin S,
         NEW f(_), \A x \in {e} \cup S : f(x) \in Typ, NEW choose(_),
         \A T \in (SUBSET ({e} \cup S)) \ {{}} : choose(T) \in T
  PROVE  MapThenFoldSet(op, base, f, choose, S \cup {e}) =
         op(f(e), MapThenFoldSet(op, base, f, choose, S))

(* Folding over two disjoint sets, if moreover base is neutral. *)
THEOREM MapThenFoldSetDisjointUnion ==
  ASSUME NEW Typ, NEW op(_, _), \A x, y \in Typ : op(x, y) \in Typ,
         \A x, y \in Typ : op(x, y) = op(y, x),
         \A x, y, z \in Typ : op(op(x, y), z) = op(x, op(y, z)),
         NEW base \in Typ, \A x \in Typ : op(base, x) = x,
         NEW S, IsFiniteSet(S), NEW T, IsFiniteSet(T), T \cap S = {},
         NEW f(_), \A x \in S \cup T : f(x) \in Typ, NEW choose(_),
         \A U \in (SUBSET (S \cup T)) \ {{}} : choose(U) \in U
  PROVE  MapThenFoldSet(op, base, f, choose, S \cup T) =
         op(MapThenFoldSet(op, base, f, choose, S),
            MapThenFoldSet(op, base, f, choose, T))
=============================================================================
