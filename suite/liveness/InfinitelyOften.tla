--------------------------- MODULE InfinitelyOften --------------------------
(* A traffic light: each colour again and again, for as many as there are.   *)
EXTENDS Naturals

VARIABLE light

Colour == {"red", "green", "amber"}
After(c) == CASE c = "red" -> "green" [] c = "green" -> "amber" [] c = "amber" -> "red"
Init == light = "red"
Change == light' = After(light)
Spec == Init /\ [][Change]_light /\ WF_light(Change)
EachAgain == \A c \in Colour : []<>(light = c)
Steps == []<><<Change>>_light
=============================================================================
