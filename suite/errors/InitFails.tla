----------------------------- MODULE InitFails ------------------------------
(* A value of an initial state that does not exist.                          *)
EXTENDS Integers, Sequences

VARIABLE x

Init == x \in {Head(s) : s \in {<<1>>, <<>>}}
Next == x' = x
=============================================================================
