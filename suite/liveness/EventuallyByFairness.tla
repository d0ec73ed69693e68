------------------------ MODULE EventuallyByFairness ------------------------
(* With weak fairness the counter gets to its end; a property with <>.       *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Up == x < 4 /\ x' = x + 1
Spec == Init /\ [][Up]_x /\ WF_x(Up)
Arrives == <>(x = 4)
StaysThere == <>[](x = 4)
=============================================================================
