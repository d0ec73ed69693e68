------------------------------- MODULE BagsExt ------------------------------
(* Adding and removing single elements of a bag, and folds over all copies   *)
(* in a bag. For the representation of bags see module Bags.                 *)
LOCAL INSTANCE Bags
LOCAL INSTANCE Integers
LOCAL INSTANCE Folds
LOCAL INSTANCE SequencesExt

(* B with one more copy of x. *)
BagAdd(B, x) == B (+) SetToBag({x})

(* B with one copy of x less; B itself if x is not in it. *)
BagRemove(B, x) == B (-) SetToBag({x})

(* B without any copy of x. *)
BagRemoveAll(B, x) == [y \in DOMAIN B \ {x} |-> B[y]]

(* Combines the images f(x) of all copies in B by op, starting from base.    *)
(* The copies of one element are combined first, each such group starting    *)
(* from base too, so base should be neutral for op. The order of elements is *)
(* not specified: choose is not consulted.                                   *)
MapThenFoldBag(op(_, _), base, f(_), choose(_), B) ==
  LET Copies(x) ==
        LET first[n \in 0..B[x]] ==
              IF n = 0 THEN base ELSE op(first[n - 1], f(x))
        IN  first[B[x]]
      Some(S) == CHOOSE x \in S : TRUE
  IN  MapThenFoldSet(op, base, Copies, Some, DOMAIN B)

(* Combines all copies in B by op, starting from base. The order of elements *)
(* is not specified; the copies of one element are taken in a row:           *)
(*    op(... op(op(op(base, x), x), y) ...)                                  *)
FoldBag(op(_, _), base, B) ==
  LET AddCopies(acc, x) ==
        LET first[n \in 0..B[x]] ==
              IF n = 0 THEN acc ELSE op(first[n - 1], x)
        IN  first[B[x]]
  IN  FoldLeft(AddCopies, base, SetToSeq(DOMAIN B))

(* The sum of all copies in B, a bag of numbers. *)
SumBag(B) == FoldBag(LAMBDA a, b : a + b, 0, B)

(* The product of all copies in B, a bag of numbers. *)
ProductBag(B) == FoldBag(LAMBDA a, b : a * b, 1, B)
=============================================================================
