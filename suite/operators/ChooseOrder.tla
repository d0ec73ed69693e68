---------------------------- MODULE ChooseOrder -----------------------------
(* CHOOSE takes the first element that fits, in an order of values: numbers  *)
(* by size, FALSE before TRUE, sets by how many elements they have and then  *)
(* by the elements, tuples by length and then from the left. How the set was *)
(* written does not matter. The trace shows the order, one element a step.   *)
EXTENDS Integers, Sequences

VARIABLES rest, order

First(S) == CHOOSE x \in S : TRUE

ASSUME First({3, -1, 2}) = -1
ASSUME First({-1, 2, 3}) = -1
ASSUME First({TRUE, FALSE}) = FALSE
ASSUME First({{5}, {1, 2}, {3, 4}}) = {5}
ASSUME First({{1, 9}, {2, 3}, {1, 8}}) = {1, 8}
ASSUME First({{}, {0}}) = {}
ASSUME First({<<2, 1>>, <<1, 2>>, <<3>>}) = <<3>>
ASSUME First({<<2, 1>>, <<1, 2>>}) = <<1, 2>>
ASSUME First({{1}, {}} \cup {{2}}) = {}
ASSUME First({[x \in 3..4 |-> 1], [x \in 2..3 |-> 5]}) = [x \in 2..3 |-> 5]
ASSUME First({[x \in 3..4 |-> x], [x \in 3..4 |-> 3]}) = [x \in 3..4 |-> 3]
ASSUME (CHOOSE x \in {1, 2, 3, 4} : x % 2 = 0) = 2
ASSUME (CHOOSE <<a, b>> \in {<<3, 1>>, <<2, 2>>, <<2, 1>>} : a > b) = <<2, 1>>
ASSUME (CHOOSE x \in Nat \cap 5..9 : TRUE) = 5

\* Equal sets, equal choices, however they came about.
ASSUME (CHOOSE x \in {y \in 1..9 : y > 4} : TRUE) = (CHOOSE x \in {9, 8, 7, 6, 5} : TRUE)
ASSUME (CHOOSE x \in {10 - y : y \in 1..3} : TRUE) = 7

Things == {<<2, 1>>, <<>>, <<1, 3>>, <<7>>, <<1, 2, 0>>, <<-4>>}
Init == rest = Things /\ order = <<>>
Next ==
    /\ rest # {}
    /\ order' = Append(order, First(rest))
    /\ rest' = rest \ {First(rest)}
Unfinished == rest # {}
=============================================================================
