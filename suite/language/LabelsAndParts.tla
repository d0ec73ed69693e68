---------------------------- MODULE LabelsAndParts --------------------------
(* Labels name parts of a formula, and parts can be named by their place.    *)
EXTENDS Naturals

VARIABLES n, k

Guard == /\ small :: n < 3
         /\ even :: k % 2 = 0
Sum(a, b) == total :: a + b
Nested == outer :: \A i \in 1..2 : inner(i) :: i + n > 0
Choice(v) == IF cond :: v > 1 THEN yes :: v * 10 ELSE no :: v

ASSUME Sum(1, 2) = 3
ASSUME Choice(2) = 20
ASSUME Sum(2, 3)!total = 5
ASSUME Choice(5)!cond /\ Choice(5)!yes = 50 /\ ~Choice(1)!cond
ASSUME (LET Op(a) == a + 1 IN Op(4)!1) = 4

Init == n = 0 /\ k = 0
Step == lab :: /\ Guard!small
               /\ n' = n + 1
               /\ k' = k + n
Reset == ~Guard!1 /\ n' = 0 /\ k' = k % 3
Next == Step \/ Reset
Facts ==
    /\ Guard!small <=> n < 3
    /\ Guard!even <=> k % 2 = 0
    /\ Guard!2 <=> Guard!even
    /\ Nested!outer!inner(1) <=> 1 + n > 0
    /\ k < 9
=============================================================================
