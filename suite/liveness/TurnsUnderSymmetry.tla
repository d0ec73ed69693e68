------------------------- MODULE TurnsUnderSymmetry -------------------------
(* Temporal properties that name one of several values that SYMMETRY takes   *)
(* for one. With two players each has the turn again and again; with three,  *)
(* two of them may pass it to and fro for ever. Under SYMMETRY there is one  *)
(* state, in which the turn is that of the first player found: TLC finds a   *)
(* violation where there is none, and none where there is one.               *)
EXTENDS TLC
CONSTANTS Player, first, other
VARIABLE turn
Perms == Permutations(Player)
Init == turn \in Player
Next == turn' \in Player \ {turn}
Spec == Init /\ [][Next]_turn /\ WF_turn(Next)
FirstAgain == []<>(turn = first)
OtherAgain == []<>(turn = other)
=============================================================================
