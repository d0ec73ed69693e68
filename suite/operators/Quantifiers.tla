---------------------------- MODULE Quantifiers -----------------------------
(* \A and \E with one bound, several, tuples, none to choose from; order of  *)
(* evaluation with several bounds: the first name changes fastest.           *)
EXTENDS Naturals, FiniteSets, TLC

VARIABLES pair

ASSUME \A x \in {} : FALSE
ASSUME ~ \E x \in {} : TRUE
ASSUME \E x \in 1..3 : x * x = 4
ASSUME \A x \in 1..3, y \in 4..6 : x < y
ASSUME \E x, y \in 1..3 : x + y = 6
ASSUME \A x, y \in 1..3 : \E z \in 2..6 : x + y = z
ASSUME \E <<x, y>> \in {<<1, 2>>, <<3, 3>>} : x = y
ASSUME \A <<x, y>> \in {<<1, 2>>, <<3, 4>>} : x < y
ASSUME \A x \in {1}, <<y, z>> \in {<<1, 2>>}, w \in {2} : x = y /\ z = w
ASSUME \exists x \in {1} : x = 1
ASSUME \forall x \in {1} : x = 1
\* A quantifier reaches as far as it can.
ASSUME \E x \in {1} : x = 1 /\ x < 2
ASSUME (\E x \in {1} : x = 2) \/ TRUE
ASSUME ~(\A x \in 1..2 : x = 1 \/ FALSE)
\* Some bound is empty: nothing to refute.
ASSUME \A x \in 1..3, y \in {} : FALSE

\* The order is visible in what is printed.
ASSUME \A x \in 1..2, y \in {10, 20} : PrintT(<<"all", x, y>>)
ASSUME \A x, y \in {1, 2} : PrintT(<<"same bound", x, y>>)
ASSUME \E x, y \in {1, 2} : PrintT(<<"some", x, y>>) /\ x = 1 /\ y = 2
ASSUME {PrintT(<<"map", x, y>>) : x \in 1..2, y \in 3..4} = {TRUE}
ASSUME {z \in {3, 1, 2} : PrintT(<<"filter", z>>)} = 1..3
ASSUME [x \in 1..2, y \in 3..4 |-> PrintT(<<"function", x, y>>)][1, 4]

Init == pair = <<0, 0>>
\* Several witnesses, some of them to the same state.
Next == pair[1] = 0 /\ \E x, y \in 1..3 : x < y /\ pair' = <<y - x, y>>
Kept == pair[1] <= pair[2]
=============================================================================
