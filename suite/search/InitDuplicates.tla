--------------------------- MODULE InitDuplicates ---------------------------
(* The same initial state made in several ways counts as generated each time *)
(* and as one distinct state. When all variables have values, what follows   *)
(* is a test and makes nothing twice.                                        *)
EXTENDS Naturals

VARIABLES x, y

Init ==
    /\ x = 0 \/ x = 0 \/ x = 1
    /\ \E k \in 1..3 : y = k \div 2
    /\ x = 0 \/ y < 5
    /\ \E k \in 1..10 : k > x
Next == x' = 1 - x /\ y' = y
Small == x + y < 3
=============================================================================
