---- MODULE Declarations ----
CONSTANTS N, F(_), _ ++ _
CONSTANT M
VARIABLES a, b
VARIABLE c
ASSUME N = 1
ASSUME Named == M = 2
AXIOM Ax == F(N) = N ++ M
ASSUMPTION Named => Ax
THEOREM Thm == Named
LEMMA TRUE
PROPOSITION Prop == Thm OBVIOUS
COROLLARY Prop => Thm PROOF BY Thm DEF Thm
LOCAL Private == a
Uses == <<Private, Thm, Ax>>
====
