------------------------------ MODULE LevelInView ----------------------------
(* Steps and the VIEW ask for the level, as in the modules that TLC writes to *)
(* explore a trace with a cycle: the state after the last one is taken for    *)
(* the one in which the cycle starts.                                         *)
EXTENDS Naturals, Sequences, TLC

VARIABLE x

Way == <<0, 1, 2, 3>>
Start == 2
End == 4

Init == x = Way[1]
Next == \E i, j \in DOMAIN Way :
    /\ \/ j = i + 1 /\ i = TLCGet("level")
       \/ i = End /\ j = Start
    /\ x = Way[i] /\ x' = Way[j]
View == <<x, IF TLCGet("level") = End + 1 THEN Start ELSE TLCGet("level")>>
Prop == ~([]<>(x = 3) /\ []<>(x = 1))
==============================================================================
