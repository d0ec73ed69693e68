------------------------ MODULE TemporalArgumentFails -----------------------
(* What an operator makes of an invariant is one.                          *)
EXTENDS Integers

VARIABLE s

Init == s = 0
Next == s < 5 /\ s' = s + 1

Same(a) == a
Apply(f(_)) == f([](s < 3))
Prop == Apply(Same)
=============================================================================
