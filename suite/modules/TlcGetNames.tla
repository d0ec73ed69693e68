---------------------------- MODULE TlcGetNames -----------------------------
(* TLCGet with names: the level as seen from the initial predicate, a step,  *)
(* an invariant, a constraint and a postcondition, and the counts of the     *)
(* search at its end.                                                        *)
EXTENDS Naturals, TLC

VARIABLE n

ASSUME TLCGet("level") = 0
ASSUME TLCGet("config").mode = "bfs"
ASSUME TLCGet("config").worker = 1
ASSUME ~TLCGet("config").deadlock

Init == n = TLCGet("level")
\* In a step the level is that of the state it starts from.
Step == n < 4 /\ n' = n + 1 /\ TLCGet("level") = n + 1
Next == Step

LevelInInvariant == TLCGet("level") = n + 1
LevelInConstraint == TLCGet("level") = n + 1
LevelInActionConstraint == TLCGet("level") = n + 1

AtEnd ==
    /\ TLCGet("level") = 0
    /\ TLCGet("distinct") = 5
    /\ TLCGet("generated") = 5
    /\ TLCGet("queue") = 0
    /\ TLCGet("diameter") = 5
    /\ TLCGet("stats").distinct = 5
    /\ TLCGet("stats").generated = 5
    /\ TLCGet("stats").diameter = 5
    /\ TLCGet("stats").queue = 0
=============================================================================
