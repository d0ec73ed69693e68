-------------------------- MODULE ComposedConditions ------------------------
(* A \cdot B asked as a question: in ENABLED, and where every variable has   *)
(* its next value already.                                                   *)
EXTENDS Naturals

VARIABLE x

Up == x < 4 /\ x' = x + 1
Halve == x % 2 = 0 /\ x' = x \div 2

Init == x \in 0..3
Next == x' \in 0..4 /\ (Up \cdot Halve)
CanDoBoth == ENABLED (Up \cdot Halve) <=> x \in {1, 3}
CanDoTwice == ENABLED (Up \cdot Up) <=> x < 3
=============================================================================
