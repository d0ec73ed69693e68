--------------------------- MODULE FairDisjunction --------------------------
(* Fairness of a disjunction is satisfied by one of the disjuncts alone; that *)
(* of each disjunct is not.                                                  *)
EXTENDS Naturals
VARIABLES left, right
vars == <<left, right>>

Init == left = 0 /\ right = 0
Left == left' = 1 - left /\ UNCHANGED right
Right == right' = 1 - right /\ UNCHANGED left
Next == Left \/ Right

Together == Init /\ [][Next]_vars /\ WF_vars(Left \/ Right)
Each == Init /\ [][Next]_vars /\ WF_vars(Left) /\ WF_vars(Right)
Strongly == Init /\ [][Next]_vars /\ SF_vars(Left \/ Right)
Quantified == Init /\ [][Next]_vars /\ \A b \in BOOLEAN : WF_vars(IF b THEN Left ELSE Right)
Existential == Init /\ [][Next]_vars /\ WF_vars(\E b \in BOOLEAN : IF b THEN Left ELSE Right)
BothMove == []<>(left = 1) /\ []<>(right = 1)
OneMoves == []<>(left = 1) \/ []<>(right = 1)
=============================================================================
