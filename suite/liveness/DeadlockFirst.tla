---------------------------- MODULE DeadlockFirst ---------------------------
(* A deadlock is told before temporal properties are looked at; without that *)
(* check the last state lasts for ever.                                      *)
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x < 2 /\ x' = x + 1
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Returns == []<>(x = 0)
Ends == <>[](x = 2)
=============================================================================
