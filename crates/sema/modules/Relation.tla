------------------------------ MODULE Relation ------------------------------
(* Properties and closures of binary relations over a set S. A relation is   *)
(* a function R on S \X S with boolean values: R[x, y] says that x is        *)
(* related to y. Each property also comes in a variant, its name ending in   *)
(* Under, that takes an operator such as < in place of R.                    *)
EXTENDS Naturals, FiniteSets

(* Every element of S is related to itself. *)
IsReflexive(R, S) == \A x \in S : R[x, x]

(* IsReflexive for an operator. *)
IsReflexiveUnder(op(_, _), S) == \A x \in S : op(x, x)

(* No element of S is related to itself. *)
IsIrreflexive(R, S) == ~ \E x \in S : R[x, x]

(* IsIrreflexive for an operator. *)
IsIrreflexiveUnder(op(_, _), S) == ~ \E x \in S : op(x, x)

(* Whenever x is related to y, y is related to x. *)
IsSymmetric(R, S) == \A x, y \in S : R[x, y] => R[y, x]

(* IsSymmetric for an operator. *)
IsSymmetricUnder(op(_, _), S) == \A x, y \in S : op(x, y) => op(y, x)

(* Two different elements are never related in both directions. *)
IsAntiSymmetric(R, S) ==
  \A x \in S : \A y \in S \ {x} : ~ (R[x, y] /\ R[y, x])

(* IsAntiSymmetric for an operator. *)
IsAntiSymmetricUnder(op(_, _), S) ==
  \A x \in S : \A y \in S \ {x} : ~ (op(x, y) /\ op(y, x))

(* If x is related to y, then y is not related to x; so no element is        *)
(* related to itself either.                                                 *)
IsAsymmetric(R, S) == \A x, y \in S : R[x, y] => ~ R[y, x]

(* IsAsymmetric for an operator. *)
IsAsymmetricUnder(op(_, _), S) == \A x, y \in S : op(x, y) => ~ op(y, x)

(* If x is related to y and y to z, then x is related to z. *)
IsTransitive(R, S) ==
  \A x, y \in S : R[x, y] => \A z \in S : R[y, z] => R[x, z]

(* IsTransitive for an operator. *)
IsTransitiveUnder(op(_, _), S) ==
  \A x, y \in S : op(x, y) => \A z \in S : op(y, z) => op(x, z)

(* R is a strict partial order on S: irreflexive, antisymmetric, transitive. *)
IsStrictlyPartiallyOrdered(R, S) ==
  IsIrreflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)

(* IsStrictlyPartiallyOrdered for an operator. *)
IsStrictlyPartiallyOrderedUnder(op(_, _), S) ==
  /\ IsIrreflexiveUnder(op, S)
  /\ IsAntiSymmetricUnder(op, S)
  /\ IsTransitiveUnder(op, S)

(* R is a partial order on S: reflexive, antisymmetric, transitive. *)
IsPartiallyOrdered(R, S) ==
  IsReflexive(R, S) /\ IsAntiSymmetric(R, S) /\ IsTransitive(R, S)

(* IsPartiallyOrdered for an operator. *)
IsPartiallyOrderedUnder(op(_, _), S) ==
  /\ IsReflexiveUnder(op, S)
  /\ IsAntiSymmetricUnder(op, S)
  /\ IsTransitiveUnder(op, S)

(* A strict partial order under which any two different elements compare.    *)
IsStrictlyTotallyOrdered(R, S) ==
  /\ IsStrictlyPartiallyOrdered(R, S)
  /\ \A x \in S : \A y \in S \ {x} : R[x, y] \/ R[y, x]

(* IsStrictlyTotallyOrdered for an operator. *)
IsStrictlyTotallyOrderedUnder(op(_, _), S) ==
  /\ IsStrictlyPartiallyOrderedUnder(op, S)
  /\ \A x \in S : \A y \in S \ {x} : op(x, y) \/ op(y, x)

(* A partial order under which any two elements compare. *)
IsTotallyOrdered(R, S) ==
  IsPartiallyOrdered(R, S) /\ \A x, y \in S : R[x, y] \/ R[y, x]

(* IsTotallyOrdered for an operator. *)
IsTotallyOrderedUnder(op(_, _), S) ==
  IsPartiallyOrderedUnder(op, S) /\ \A x, y \in S : op(x, y) \/ op(y, x)

(* The elements of S that a chain of related elements leads to from T,       *)
(* those of T included.                                                      *)
LOCAL Reached(R, S, T) ==
  LET grow[U \in SUBSET S] ==
        LET next == {y \in S \ U : \E x \in U : R[x, y]}
        IN  IF next = {} THEN U ELSE grow[U \cup next]
  IN  grow[T]

(* The least transitive relation on the finite set S that contains R: x is   *)
(* related to y iff a chain of one or more R-steps leads from x to y.        *)
TransitiveClosure(R, S) ==
  LET from == [x \in S |-> Reached(R, S, {y \in S : R[x, y]})]
  IN  [x, y \in S |-> y \in from[x]]

(* TransitiveClosure in which every element is also related to itself. *)
ReflexiveTransitiveClosure(R, S) ==
  LET from == [x \in S |-> Reached(R, S, {x})]
  IN  [x, y \in S |-> y \in from[x]]

(* TRUE iff a chain of R-steps leads from every element of S to every other. *)
IsConnected(R, S) == \A x \in S : Reached(R, S, {x}) = S
=============================================================================
