------------------------------ MODULE FalsePart -----------------------------
(* A part of a property that is FALSE and has no name is violated in the   *)
(* initial state.                                                          *)
EXTENDS Integers

VARIABLE x

Init == x = TRUE
Next == x' = ~x
Prop == (2 <= 1) /\ [](x \in BOOLEAN)
=============================================================================
