------------------------------- MODULE AliasShown ---------------------------
(* An ALIAS decides what a trace shows: here a sum, what the next step adds, *)
(* and the level, and not the variables.                                     *)
EXTENDS Naturals, TLC

VARIABLES x, y

Init == x = 1 /\ y = 1
Next == x' = x + y /\ y' = x
Shown == [sum |-> x + y, gain |-> x' - x, level |-> TLCGet("level")]
Small == x < 6
=============================================================================
