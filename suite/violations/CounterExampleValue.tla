-------------------------- MODULE CounterExampleValue -----------------------
(* A postcondition may look at the counterexample: states with their numbers,*)
(* and the steps between them.                                               *)
EXTENDS Naturals, Sequences, FiniteSets, TLC, TLCExt

VARIABLE x

Init == x = 3
Halve == x % 2 = 0 /\ x' = x \div 2
Triple == x % 2 = 1 /\ x' = 3 * x + 1
Next == Halve \/ Triple
NotFive == x # 5
AtEnd ==
    /\ PrintT({<<e[1], e[2].x>> : e \in CounterExample.state})
    /\ PrintT({<<a[1][1], a[2].name, a[3][1]>> : a \in CounterExample.action})
    /\ PrintT([i \in DOMAIN ToTrace(CounterExample) |-> ToTrace(CounterExample)[i].x])
=============================================================================
