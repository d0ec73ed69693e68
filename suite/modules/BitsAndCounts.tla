---------------------------- MODULE BitsAndCounts ---------------------------
(* Bitwise, Combinatorics, DyadicRationals: arithmetic of the community's    *)
(* modules.                                                                  *)
EXTENDS Integers, Bitwise, Combinatorics
D == INSTANCE DyadicRationals

VARIABLE r

ASSUME (12 & 10) = 8 /\ (12 | 10) = 14 /\ (12 ^^ 10) = 6
ASSUME (0 & 5) = 0 /\ (0 | 5) = 5 /\ (5 ^^ 5) = 0
ASSUME shiftR(20, 2) = 5 /\ shiftR(1, 1) = 0 /\ shiftR(7, 0) = 7
ASSUME \A a, b \in 0..15 : (a & b) + (a | b) = a + b
ASSUME \A a, b \in 0..15 : (a | b) - (a & b) = a ^^ b
ASSUME choose(5, 2) = 10 /\ choose(5, 0) = 1 /\ factorial[5] = 120
ASSUME D!Half(D!One) = [num |-> 1, den |-> 2]
ASSUME D!Add(D!Half(D!One), D!Half(D!One)) = D!One
ASSUME D!Add(D!Zero, D!Half(D!One)) = D!Half(D!One)
ASSUME D!IsDyadicRational(D!Half(D!Half(D!One)))
ASSUME D!PrettyPrint(D!Half(D!One)) = "1/2"

\* A register of four bits with feedback.
Init == r = 9
Next == r' = (shiftR(r, 1) | (8 * ((r & 1) ^^ (shiftR(r, 1) & 1))))
NeverZero == r \in 1..15
=============================================================================
