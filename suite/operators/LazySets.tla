------------------------------ MODULE LazySets ------------------------------
(* Sets that are never listed: infinite ones may be asked for members, and   *)
(* subsets of a big set come one by one.                                      *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLES x

ASSUME 5 \in Nat /\ -5 \notin Nat /\ -5 \in Int
ASSUME {1, 2} \subseteq Nat
ASSUME "s" \in STRING
ASSUME {1, 2} \in SUBSET Nat
ASSUME <<1, {2}>> \in Nat \X SUBSET Nat
ASSUME [a |-> 1, b |-> <<2, 3>>] \in [a : Nat, b : Seq(Nat)]
ASSUME <<1, 2, 3>> \in [1..3 -> Nat]
ASSUME <<<<>>, <<1>>>> \in Seq(Seq(Nat))
ASSUME 4 \in {n \in Nat : n % 2 = 0} /\ 5 \notin {n \in Nat : n % 2 = 0}
ASSUME 3 \in Nat \cup {-1} /\ -1 \in Nat \cup {-1} /\ -2 \notin Nat \cup {-1}
ASSUME 3 \in Nat \ {4} /\ 4 \notin Nat \ {4}
ASSUME 3 \in Nat \cap Int
ASSUME {n \in -2..2 : n \in Nat} = 0..2
ASSUME (-3..3) \cap Nat = 0..3
ASSUME (-3..3) \ Nat = -3..-1
ASSUME Nat # Int
ASSUME Nat = Nat

\* 2^60, 10^20 and 3^40 elements.
ASSUME {1, 60} \in SUBSET (1..60)
ASSUME <<9, 9>> \in (0..9999999) \X (0..9999999)
ASSUME [i \in 1..40 |-> 2] \in [1..40 -> 1..3]
ASSUME \E S \in SUBSET (1..60) : Cardinality(S) = 1

Squares == [n \in Nat |-> n * n]
ASSUME Squares[12] = 144 /\ DOMAIN Squares = Nat

Init == x = 1
\* The bound is checked by membership only.
Next == \E y \in {x + 1, x + 2} : y \in {n \in Nat : n < 6} /\ x' = y
Typed == x \in Nat /\ <<x, {x}>> \in Nat \X SUBSET Int
=============================================================================
