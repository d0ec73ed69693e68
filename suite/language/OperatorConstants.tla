------------------------- MODULE OperatorConstants --------------------------
(* Constants that take arguments: given by a table in the configuration, by  *)
(* a definition, and passed on to an instance.                               *)
EXTENDS Naturals

CONSTANTS Weight(_), Combine(_, _), Neighbour(_)

VARIABLE at

Plus3(a, b) == (a + b) % 3
Ring(n) == (n % 3) + 1

I == INSTANCE TakesOperator WITH Op <- Weight, Mix <- Combine

ASSUME Weight(1) = 10 /\ Weight(2) = 20
ASSUME Combine(2, 2) = 1
ASSUME I!Applied(2) = 20 /\ I!Mixed = 2
ASSUME Weight(3) = 30

Init == at = 1
Next == at' = Neighbour(at) \/ at' = Combine(at, at) + 1
OnRing == at \in 1..3 /\ Weight(at) = 10 * at
=============================================================================
