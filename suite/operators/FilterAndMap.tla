---------------------------- MODULE FilterAndMap ----------------------------
(* {x \in S : P} keeps, {e : x \in S} makes. Both take patterns of tuples;   *)
(* a map takes several bounds, and makes as many elements as there are       *)
(* different results.                                                        *)
EXTENDS Naturals, FiniteSets, Sequences

VARIABLE pairs

Grid == (1..3) \X (1..3)

ASSUME {x \in 1..10 : x * x < 20} = 1..4
ASSUME {x \in {} : x > 1} = {}
ASSUME {x \in {3, 1, 2} : TRUE} = 1..3
ASSUME {x \in 1..3 : FALSE} = {}

ASSUME {x * x : x \in 1..3} = {1, 4, 9}
ASSUME {x % 2 : x \in 1..9} = {0, 1}
ASSUME {7 : x \in 1..9} = {7}
ASSUME {x : x \in {}} = {}

\* Several bounds: all combinations.
ASSUME {x + y : x \in {10, 20}, y \in {1, 2}} = {11, 12, 21, 22}
ASSUME {<<x, y>> : x, y \in 1..2} = (1..2) \X (1..2)
ASSUME Cardinality({<<x, y, z>> : x, y \in 1..2, z \in 1..3}) = 12
ASSUME {x + y : x \in {}, y \in 1..3} = {}

\* Patterns of tuples.
ASSUME {<<x, y>> \in Grid : x < y} = {<<1, 2>>, <<1, 3>>, <<2, 3>>}
ASSUME {x - y : <<x, y>> \in {<<5, 3>>, <<9, 7>>, <<4, 1>>}} = {2, 3}
ASSUME {x + y + z : <<x, y>> \in {<<1, 2>>}, z \in {10, 20}} = {13, 23}

\* One inside the other; the inner name is another one.
ASSUME {{y \in 1..3 : y < x} : x \in 1..3} = {{}, {1}, {1, 2}}
ASSUME {x \in {{1}, {1, 2}, {}} : Cardinality(x) = 1} = {{1}}
ASSUME {s \in SUBSET (1..3) : Cardinality(s) = 2} = {{1, 2}, {1, 3}, {2, 3}}
ASSUME {f \in [1..2 -> 0..1] : f[1] # f[2]} = {<<0, 1>>, <<1, 0>>}
ASSUME {r.a : r \in [a : 1..2, b : {5}]} = 1..2
ASSUME {Len(s) : s \in {<<>>, <<1>>, <<2>>}} = {0, 1}

Init == pairs = {<<a, b>> \in Grid : a = b}
\* Mirror one pair, or move one to the right.
Next ==
    \/ pairs' = {<<b, a>> : <<a, b>> \in pairs}
    \/ \E <<a, b>> \in pairs : b < 3 /\ pairs' = (pairs \ {<<a, b>>}) \cup {<<a, b + 1>>}
OnGrid == pairs \subseteq Grid /\ Cardinality(pairs) \in 1..3
=============================================================================
