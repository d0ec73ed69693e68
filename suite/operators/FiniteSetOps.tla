---------------------------- MODULE FiniteSetOps ----------------------------
(* Cardinality and IsFiniteSet, on sets of every make.                       *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLES s

ASSUME Cardinality({}) = 0 /\ Cardinality({7, 7, 8}) = 2
ASSUME Cardinality(1..100000) = 100000
ASSUME Cardinality(SUBSET (1..16)) = 65536
ASSUME Cardinality([1..3 -> 1..4]) = 64
ASSUME Cardinality([a : 1..3, b : BOOLEAN]) = 6
ASSUME Cardinality((1..7) \X (1..9)) = 63
ASSUME Cardinality({x \in 1..9 : x % 2 = 1}) = 5
ASSUME Cardinality({x \div 2 : x \in 1..9}) = 5
ASSUME Cardinality(1..3 \cup 2..5) = 5
ASSUME Cardinality(UNION {1..3, 2..5}) = 5
ASSUME Cardinality({{}, {{}}}) = 2

ASSUME IsFiniteSet({}) /\ IsFiniteSet(1..3) /\ IsFiniteSet(SUBSET (1..40))
ASSUME ~IsFiniteSet(Nat) /\ ~IsFiniteSet(Int) /\ ~IsFiniteSet(STRING)
ASSUME ~IsFiniteSet(Seq({1}))
ASSUME ~IsFiniteSet(SUBSET Nat) /\ ~IsFiniteSet([1..2 -> Nat])
ASSUME IsFiniteSet({x \in 1..5 : x > 2})

Init == s = {}
Next ==
    \/ \E x \in (1..4) \ s : s' = s \cup {x}
    \/ Cardinality(s) >= 3 /\ s' = {x \in s : x <= 2}
Bounded == Cardinality(s) <= 4 /\ IsFiniteSet(s)
=============================================================================
