----------------------------- MODULE PrimedLevel ----------------------------
(* The level of the next state.                                            *)
EXTENDS Integers, TLC

VARIABLES x, z

Level == TLCGet("level")

Init == x = 0 /\ z = 1
Next == x < 3 /\ x' = x + 1 /\ z' = TLCGet("level")'
Steps == Level' = Level + 1 /\ z' = Level'
Prop == [][Level' = Level + 1]_x
Inv == z = Level
=============================================================================
