---------------------------- MODULE TlcGetMoving ----------------------------
(* What TLCGet says about the search, wherever an expression is evaluated:   *)
(* counts move with each state. A new state is on the queue after all        *)
(* checks.                                                                   *)
EXTENDS Naturals, TLC

VARIABLES x, y

Told(where) ==
    PrintT(<<where, x, y, TLCGet("generated"), TLCGet("distinct"), TLCGet("queue"),
             TLCGet("diameter"), TLCGet("level")>>)

Init == x \in 0..1 /\ y = 0 /\ Told("init")
Up == Told("up") /\ x' = x + 1 /\ y' = y
Flip == Told("flip") /\ y' = 1 - y /\ x' = x
Next == Up \/ Flip
Bound == Told("constraint") /\ x < 3
StepBound == Told("action constraint")
Inv == Told("invariant")
Steps == [][Told("action property")]_<<x, y>>
AtEnd == PrintT(<<"end", TLCGet("generated"), TLCGet("distinct"), TLCGet("queue"), TLCGet("diameter")>>)
=============================================================================
