---------------------------- MODULE ShortestOfMany --------------------------
(* A state that is bad can be reached by short and long ways; the way shown  *)
(* is a shortest one, and among the shortest the first in the order of the   *)
(* actions and of the values they choose.                                    *)
EXTENDS Naturals

VARIABLES x, y

Init == x = 0 /\ y = 0
Long == x < 9 /\ x' = x + 1 /\ y' = y
Right(k) == y < 3 /\ x' = x + k /\ y' = y + 1
Next == Long \/ \E k \in {3, 2, 1} : Right(k)
Bound == x < 7
=============================================================================
