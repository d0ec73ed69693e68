-------------------------- MODULE FiniteSetsExtOps --------------------------
(* The operators of FiniteSetsExt.                                           *)
EXTENDS Integers, FiniteSets, FiniteSetsExt

VARIABLE s

ASSUME FoldSet(+, 0, 1..4) = 10 /\ FoldSet(+, 5, {}) = 5
ASSUME SumSet({1, 2, 3}) = 6 /\ SumSet({}) = 0
ASSUME ProductSet({2, 3, 4}) = 24 /\ ProductSet({}) = 1
ASSUME ReduceSet(LAMBDA e, acc : IF e > acc THEN e ELSE acc, {4, 9, 2}, 0) = 9
ASSUME MapThenSumSet(LAMBDA e : e * e, 1..3) = 14
ASSUME FlattenSet({{1}, {2, 3}}) = 1..3
ASSUME SymDiff({1, 2}, {2, 3}) = {1, 3}
ASSUME Quantify(1..10, LAMBDA e : e % 3 = 0) = 3
ASSUME kSubset(2, 1..3) = {{1, 2}, {1, 3}, {2, 3}} /\ kSubset(0, 1..3) = {{}} /\ kSubset(4, 1..3) = {}
ASSUME Cardinality(kSubset(3, 1..6)) = 20
ASSUME \E t \in kSubset(5, 1..40) : t = 1..5
ASSUME Max({3, 9, 2}) = 9 /\ Min({3, 9, 2}) = 2 /\ Max({-4}) = -4
ASSUME Choices({{1, 2}, {3}}) = {{1, 3}, {2, 3}} /\ Choices({}) = {{}}
ASSUME ChooseUnique({2, 3, 4}, LAMBDA e : e > 3) = 4

Init == s \in kSubset(2, 1..4)
Next ==
    \/ s # {} /\ s' = SymDiff(s, {Max(s), 4})
    \/ Cardinality(s) < 3 /\ s' = s \cup {SumSet(s) % 5}
Ordered == s # {} => Min(s) <= Max(s)
Bounded == SumSet(s) <= 10
=============================================================================
