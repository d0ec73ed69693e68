------------------------------- MODULE SumSpec ------------------------------
(* A number that goes up by one.                                             *)
EXTENDS Naturals
CONSTANT limit
VARIABLE total
Init == total = 0
Next == total < limit /\ total' = total + 1
Spec == Init /\ [][Next]_total
=============================================================================
