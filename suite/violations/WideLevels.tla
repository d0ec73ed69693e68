----------------------------- MODULE WideLevels -----------------------------
(* Levels of more than a hundred states, which several workers share: of all *)
(* that is wrong in a level, and of all states with one view, the first in   *)
(* the order of one worker counts.                                           *)
EXTENDS Integers

VARIABLES c, last

vars == <<c, last>>
Init == c = [i \in 1..4 |-> 0] /\ last = 0
Move(i) == c[i] < 5 /\ c' = [c EXCEPT ![i] = @ + 1] /\ last' = i
Next == \E i \in 1..4 : Move(i)
NextFails == \E i \in 1..4 : Move(i) /\ (c[1] + c[2] # 8 \/ <<1, 2>>[c[3]] > 0)

Hiding == c
Sum == <<c[1] + c[2], c[3], c[4]>>

NotHidden == ~(c[1] + c[2] = 7 /\ last = 4 /\ c[3] = 2)
NotTwelve == ~(c[1] * c[2] = 12 /\ c[3] + c[4] = 5)
NotFirst == ~(c[1] = 4 /\ c[3] >= 3)
Steps == [][~(c[2] = 3 /\ c'[3] = 4 /\ c[4] >= 2)]_vars
=============================================================================
