--------------------------- MODULE InvariantAtStart -------------------------
(* Of several initial states the third violates the invariant; nothing is    *)
(* searched.                                                                 *)
EXTENDS Naturals

VARIABLES x, y

Init == x \in 1..5 /\ y = x * x
Next == x' = x /\ y' = y + 1
Below == y < 8
=============================================================================
