---------------------------- MODULE PropertyForms ---------------------------
(* Properties without temporal logic: []P is an invariant, [][A]_v speaks of *)
(* steps, a formula about one state speaks of initial states. A conjunction, *)
(* a definition, a constant \A and an instance of these are taken apart.     *)
EXTENDS Naturals

VARIABLES x, y

vars == <<x, y>>
Init == x = 0 /\ y \in {0, 5}
Next == (x < 3 /\ x' = x + 1 /\ y' = y) \/ (y > 0 /\ y' = y - 1 /\ x' = x)

StartsLow == x = 0
AlwaysSmall == [](x <= 3 /\ y <= 5)
Grows == [][x' >= x]_x
Conj == StartsLow /\ [](x \in Nat) /\ [][y' <= y]_vars
Each == \A k \in 1..2 : [][x' # x + k + 1]_vars
WithLet == LET bound == 5 IN [](y <= bound)
=============================================================================
