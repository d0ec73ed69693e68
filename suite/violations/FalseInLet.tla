----------------------------- MODULE FalseInLet -----------------------------
(* A definition of a LET that is FALSE is violated too.                    *)
EXTENDS Integers

VARIABLE x

Init == x = TRUE
Next == x' = ~x
Prop == LET never == 2 <= 1 IN never /\ [](x \in BOOLEAN)
=============================================================================
