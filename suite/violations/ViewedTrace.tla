------------------------------ MODULE ViewedTrace ---------------------------
(* With a view that hides what matters, a violation may be found later than  *)
(* it could be, or not at all; this one is found on a detour. The trace      *)
(* shows whole states.                                                       *)
EXTENDS Naturals

VARIABLES room, key

Where == room
Init == room = 1 /\ key = FALSE
Walk == room < 3 /\ room' = room + 1 /\ UNCHANGED key
Find == room = 2 /\ key' = TRUE /\ room' = 4
Back == room = 4 /\ room' = 5 /\ UNCHANGED key
Next == Walk \/ Find \/ Back \/ (room = 5 /\ room' = 6 /\ UNCHANGED key)
Locked == ~(key /\ room > 5)
=============================================================================
