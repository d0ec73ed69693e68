--------------------------- MODULE TurnsUnderView ---------------------------
(* A VIEW that hides what a temporal property reads: the two states have one *)
(* view, in which the turn is that of the state found first. TLC finds a     *)
(* violation where there is none.                                            *)
EXTENDS Naturals
VARIABLES turn, rounds
vars == <<turn, rounds>>
Init == turn = 0 /\ rounds = 0
Next == turn' = 1 - turn /\ UNCHANGED rounds
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
Shown == rounds
Again == []<>(turn = 1)
=============================================================================
