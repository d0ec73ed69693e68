--------------------- MODULE TemporalArgumentEventually ---------------------
(* A LAMBDA that makes a temporal formula of a state predicate.            *)
EXTENDS Integers

VARIABLE s

Init == s = 0
Next == s < 5 /\ s' = s + 1

Made(f(_), p) == f(p)
Prop == Made(LAMBDA q : []q, s < 9) /\ Made(LAMBDA q : <>q, s = 5)
=============================================================================
