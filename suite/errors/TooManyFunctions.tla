-------------------------- MODULE TooManyFunctions --------------------------
(* Quantifying over a set of functions makes all of them in TLC, and a       *)
(* million is the limit; a witness is easy to find.                          *)
EXTENDS Integers

VARIABLE x

Init == x = 0
Next == x' = (x + 1) % 2 /\ \E f \in [1..20 -> 1..3] : f[1] = 1
=============================================================================
