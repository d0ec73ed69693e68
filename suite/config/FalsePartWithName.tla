-------------------------- MODULE FalsePartWithName -------------------------
(* A part of a property that is FALSE by a name of its own is a mistake.   *)
EXTENDS Integers

VARIABLE x

Init == x = TRUE
Next == x' = ~x
Never == 2 <= 1
Same(a) == a
Prop == Same(Never) /\ [](x \in BOOLEAN)
=============================================================================
