------------------------------ MODULE LevelBound ----------------------------
(* A constraint on the level cuts the search at a depth: the states of the   *)
(* last level are generated and not kept.                                    *)
EXTENDS Naturals, TLC

VARIABLES x

Init == x = 1
Next == x' = 2 * x \/ x' = 2 * x + 1
Near == TLCGet("level") <= 4
Short == x < 64
=============================================================================
