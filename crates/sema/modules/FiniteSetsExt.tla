---------------------------- MODULE FiniteSetsExt ---------------------------
(* Folds, sums, minimum and maximum, subsets of a given size, and other      *)
(* everyday operations on finite sets.                                       *)
EXTENDS Integers, FiniteSets, Folds, Functions

(* Combines all elements of set by op, starting from base. The order is not  *)
(* specified, so op should be associative and commutative.                   *)
FoldSet(op(_, _), base, set) ==
  LET Same(x) == x
      Some(T) == CHOOSE x \in T : TRUE
  IN  MapThenFoldSet(op, base, Same, Some, set)

(* The sum of the numbers in set; 0 if it is empty. *)
SumSet(set) == FoldSet(LAMBDA a, b : a + b, 0, set)

(* The product of the numbers in set; 1 if it is empty. *)
ProductSet(set) == FoldSet(LAMBDA a, b : a * b, 1, set)

(* The names of these two in earlier releases. *)
Sum(set) == SumSet(set)

Product(set) == ProductSet(set)

(* FoldSet with its arguments in another order, kept for older               *)
(* specifications.                                                           *)
ReduceSet(op(_, _), set, acc) == FoldSet(op, acc, set)

(* The sum of op(x) for all x in set. *)
MapThenSumSet(op(_), set) ==
  FoldSet(LAMBDA x, sum : op(x) + sum, 0, set)

(* The union of the sets in S; the same as UNION S. *)
FlattenSet(S) == UNION S

(* The elements that are in exactly one of A and B. *)
SymDiff(A, B) == (A \cup B) \ (A \cap B)

(* The number of elements of S for which P is TRUE. *)
Quantify(S, P(_)) == Cardinality({x \in S : P(x)})

(* The subsets of S that have exactly k elements; no set at all if k is      *)
(* negative or too large.                                                    *)
kSubset(k, S) ==
  LET pick[n \in 0..k, T \in SUBSET S] ==
        IF n = 0
        THEN {{}}
        ELSE IF n = Cardinality(T)
        THEN {T}
        ELSE LET x    == CHOOSE x \in T : TRUE
                 rest == T \ {x}
             IN  pick[n, rest] \cup {U \cup {x} : U \in pick[n - 1, rest]}
  IN  IF k \in 0..Cardinality(S) THEN pick[k, S] ELSE {}

(* The largest number in S. An error if S is empty. *)
Max(S) == CHOOSE x \in S : \A y \in S : y \leq x

(* The smallest number in S. An error if S is empty. *)
Min(S) == CHOOSE x \in S : \A y \in S : x \leq y

(* All sets that arise from taking one element out of each set in Sets.      *)
(* There are none if some set in Sets is empty.                              *)
Choices(Sets) ==
  LET Extend(T, chosen) == {C \cup {x} : C \in chosen, x \in T}
  IN  FoldSet(Extend, {{}}, Sets)

(* The one element of S for which P is TRUE. An error if P holds for none or *)
(* for more than one.                                                        *)
ChooseUnique(S, P(_)) == CHOOSE x \in S : P(x) /\ {y \in S : P(y)} = {x}
=============================================================================
