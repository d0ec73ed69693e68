-------------------------- MODULE LetAroundProperty -------------------------
(* LET and parameters around the parts of SPECIFICATION and PROPERTY: their  *)
(* values belong to the state that is looked at, not to the first one.       *)
EXTENDS Naturals

VARIABLES x, y

vars == <<x, y>>

Parts(first, step) ==
    LET Limit == first + 4
        Small == {n \in 0..20 : n < Limit}
    IN /\ x = first /\ y = 0
       /\ [][LET Twice == x + x IN x' \in Small /\ x' = x + step /\ y' = Twice + Limit]_vars

Spec == Parts(1, 1)

\* Doubled is another value in each state.
Follows ==
    LET Doubled == x + x
        Near == {Doubled + d : d \in 2..3}
    IN /\ [](y > 0 => y \in Near)
       /\ [][y' > Doubled /\ y' - 5 \in {Doubled}]_vars
       /\ \A k \in {0, 1} : [](LET Up == x + k IN Up \in {x, x + 1} /\ Doubled + k <= Up + x)
Bounded(top) == LET t == top - x IN [](t >= 0 /\ t < 20)
Below == Bounded(9)
=============================================================================
