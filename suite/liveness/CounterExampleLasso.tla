------------------------ MODULE CounterExampleLasso -------------------------
(* A postcondition may look at a counterexample without end: the step that   *)
(* closes the cycle is among its steps.                                      *)
EXTENDS Naturals, TLC, TLCExt

VARIABLE x

Init == x = 0
Round == x < 4 /\ x' = IF x = 3 THEN 1 ELSE x + 1
Exit == x = 2 /\ x' = 9
Next == Round \/ Exit
Spec == Init /\ [][Next]_x /\ WF_x(Next)
GetsOut == <>(x = 9)
AtEnd ==
    /\ PrintT({<<e[1], e[2].x>> : e \in CounterExample.state})
    /\ PrintT({<<a[1][1], a[2].name, a[3][1]>> : a \in CounterExample.action})
=============================================================================
