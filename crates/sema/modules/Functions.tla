------------------------------ MODULE Functions -----------------------------
(* Functions as values: restriction, range, inverse, injections and          *)
(* bijections, and folds over the values of a function.                      *)
EXTENDS Integers, Folds

(* f with its domain cut down to S, which must be part of DOMAIN f.          *)
Restrict(f, S) == [x \in S |-> f[x]]

(* f on those arguments x for which Test(x) is TRUE. *)
RestrictDomain(f, Test(_)) == [x \in {y \in DOMAIN f : Test(y)} |-> f[x]]

(* f on those arguments x for which Test(f[x]) is TRUE. Unlike SelectSeq it  *)
(* does not renumber the elements of a sequence.                             *)
RestrictValues(f, Test(_)) == [x \in {y \in DOMAIN f : Test(f[y])} |-> f[x]]

(* TRUE iff wide is defined wherever narrow is, with the same values there.  *)
IsRestriction(narrow, wide) ==
  \A x \in DOMAIN narrow : x \in DOMAIN wide /\ wide[x] = narrow[x]

(* The set of values of f. *)
Range(f) == {f[x] : x \in DOMAIN f}

(* The function on DOMAIN f with value T(f[x], g[x]) at x. g must be defined *)
(* on all of DOMAIN f.                                                       *)
Pointwise(f, g, T(_, _)) == [x \in DOMAIN f |-> T(f[x], g[x])]

(* A function from T to S that sends each value of f back to an argument in  *)
(* S with that value, and anything else to some element of S.                *)
Inverse(f, S, T) ==
  [y \in T |-> IF y \in Range(f)
               THEN CHOOSE x \in S : f[x] = y
               ELSE CHOOSE x \in S : TRUE]

(* The inverse of f on its range. If several arguments have the same value,  *)
(* one of them is taken.                                                     *)
AntiFunction(f) == [y \in Range(f) |-> CHOOSE x \in DOMAIN f : f[x] = y]

(* TRUE iff f never takes the same value twice. *)
IsInjective(f) ==
  \A x \in DOMAIN f : \A y \in DOMAIN f \ {x} : f[x] # f[y]

(* The injective functions from S to T. *)
Injection(S, T) == {f \in [S -> T] : IsInjective(f)}

(* The functions from S to T that take every value in T. *)
Surjection(S, T) == {f \in [S -> T] : T \subseteq Range(f)}

(* The functions that match up S and T one to one. *)
Bijection(S, T) == {f \in Injection(S, T) : T \subseteq Range(f)}

(* TRUE iff there is an injection from S to T. *)
ExistsInjection(S, T) == \E f \in [S -> T] : IsInjective(f)

(* TRUE iff there is a surjection from S to T. *)
ExistsSurjection(S, T) == \E f \in [S -> T] : T \subseteq Range(f)

(* TRUE iff there is a bijection from S to T. *)
ExistsBijection(S, T) ==
  \E f \in [S -> T] : IsInjective(f) /\ T \subseteq Range(f)

(* Combines the values fun[i] for all i in the finite set indices by op,     *)
(* starting from base. The order is not specified, so op should be           *)
(* associative and commutative.                                              *)
FoldFunctionOnSet(op(_, _), base, fun, indices) ==
  LET Value(i) == fun[i]
      Some(I)  == CHOOSE i \in I : TRUE
  IN  MapThenFoldSet(op, base, Value, Some, indices)

(* Combines all values of fun by op, starting from base. *)
FoldFunction(op(_, _), base, fun) ==
  FoldFunctionOnSet(op, base, fun, DOMAIN fun)

(* The sum of fun[i] for all i in indices; 0 if there are none. *)
SumFunctionOnSet(fun, indices) ==
  FoldFunctionOnSet(LAMBDA a, b : a + b, 0, fun, indices)

(* The sum of all values of fun, counted once for each argument. *)
SumFunction(fun) == SumFunctionOnSet(fun, DOMAIN fun)
=============================================================================
