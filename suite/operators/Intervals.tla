----------------------------- MODULE Intervals ------------------------------
(* a..b is a set like any other: empty when b < a, equal to the set with the *)
(* same numbers, usable with a million elements as long as nobody asks for   *)
(* all of them.                                                              *)
EXTENDS Integers, FiniteSets

VARIABLE n

ASSUME 1..3 = {1, 2, 3}
ASSUME {3, 1, 2} = 1..3
ASSUME 3..1 = {} /\ 3..2 = 5..1
ASSUME 2..2 = {2}
ASSUME -2..1 = {-2, -1, 0, 1}
ASSUME Cardinality(-2..1) = 4
ASSUME Cardinality(5..4) = 0
ASSUME 1..3 # 1..4
ASSUME 1..3 \subseteq 0..9 /\ ~(0..9 \subseteq 1..3)
ASSUME {} \subseteq 1..0

ASSUME 5 \in 1..10 /\ 11 \notin 1..10 /\ 0 \notin 1..10
ASSUME 500000 \in 1..10000000
ASSUME 1..3 \subseteq Nat

ASSUME (1..5) \cap (3..8) = 3..5
ASSUME (1..5) \cup (3..8) = 1..8
ASSUME (1..5) \ (2..3) = {1, 4, 5}
ASSUME (1..2) \X (1..2) = {<<1, 1>>, <<1, 2>>, <<2, 1>>, <<2, 2>>}

\* .. binds looser than + and tighter than \in.
ASSUME 3 \in 1 + 1 .. 2 + 1
ASSUME {1..2, 3..4} = {{1, 2}, {4, 3}}
ASSUME UNION {i..(i + 1) : i \in {1, 5}} = {1, 2, 5, 6}
ASSUME (CHOOSE i \in 4..9 : i % 3 = 0) = 6
ASSUME {x \in 1..10 : x % 4 = 0} = {4, 8}

Init == n \in 1..2 \cup 8..9
\* The interval gets shorter until nothing is left in it.
Next == \E m \in (n + 1)..(9 - n) : n' = m
Small == n \in 1..9
=============================================================================
