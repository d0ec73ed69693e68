-------------------------- MODULE PrimeOnTheRight ---------------------------
(* An equation gives a next value only to what stands on its left.           *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == \/ x < 2 /\ x' = x + 1
        \/ x = 2 /\ 1 = x'
=============================================================================
