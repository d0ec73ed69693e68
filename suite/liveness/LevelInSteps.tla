----------------------------- MODULE LevelInSteps ----------------------------
(* Steps ask for the level, as those of the modules do that TLC writes to     *)
(* explore a trace. The behaviour that stays where the way ends violates the  *)
(* property.                                                                  *)
EXTENDS Naturals, Sequences, TLC

VARIABLE x

Way == <<0, 1, 2>>

Init == x = Way[1]
Next == \E i, j \in DOMAIN Way :
    /\ j = i + 1 /\ i = TLCGet("level")
    /\ x = Way[i] /\ x' = Way[j]
Prop == ~<>[](x = 2)
==============================================================================
