------------------------------ MODULE StopEarly -----------------------------
(* TLCSet("exit", TRUE) ends the search when a state is looked at; what was  *)
(* found so far is fine, and the rest is not looked at.                      *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Next == x' = x + 1
EnoughSeen == x < 10 \/ TLCSet("exit", TRUE)
=============================================================================
