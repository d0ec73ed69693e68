---------------------------- MODULE FunctionSets ----------------------------
(* [S -> T]: how many there are, which comes first, and that membership does *)
(* not list them: T may be infinite, and the set may be astronomically big.  *)
EXTENDS Naturals, FiniteSets

VARIABLES f

ASSUME [{} -> {1, 2}] = {<<>>}
ASSUME [{1} -> {}] = {}
ASSUME [{} -> {}] = {<<>>}
ASSUME Cardinality([1..3 -> 1..2]) = 8
ASSUME [1..2 -> {0}] = {<<0, 0>>}
ASSUME [{"k"} -> {0, 1}] = {[k |-> 0], [k |-> 1]}
ASSUME [1..2 -> BOOLEAN] = BOOLEAN \X BOOLEAN

ASSUME <<1, 2, 1>> \in [1..3 -> 1..2]
ASSUME <<1, 2>> \notin [1..3 -> 1..2]
ASSUME [x \in 1..3 |-> 9] \notin [1..3 -> 1..2]
ASSUME [x \in 1..50 |-> x] \in [1..50 -> Nat]
ASSUME [x \in 1..50 |-> x] \in [1..50 -> 1..50]
ASSUME <<{1}, {}>> \in [1..2 -> SUBSET Nat]

\* The first one in the order of functions; the value at the least argument counts most.
ASSUME (CHOOSE g \in [1..3 -> 0..1] : TRUE) = <<0, 0, 0>>
ASSUME (CHOOSE g \in [1..3 -> 0..1] : \E i \in 1..3 : g[i] = 1) = <<0, 0, 1>>
ASSUME (CHOOSE g \in [1..2 -> 1..3] : g[1] + g[2] = 4) = <<1, 3>>
\* One witness is enough; 3^12 functions are not made.
ASSUME \E g \in [1..12 -> 1..3] : g[12] = 2

Injective == {g \in [1..3 -> 1..3] : \A i, j \in 1..3 : g[i] = g[j] => i = j}
ASSUME Cardinality(Injective) = 6

Init == f \in [{1, 2} -> {0, 1}]
Next == f' \in [DOMAIN f -> {f[1], f[2]}]
Total == f \in [1..2 -> 0..1]
=============================================================================
