----------------------------- MODULE AlwaysFalse ----------------------------
(* Always something that is FALSE is an invariant that is violated.        *)
EXTENDS Integers

VARIABLE x

Init == x = TRUE
Next == x' = ~x
Never == 2 <= 1
Prop == []Never
=============================================================================
