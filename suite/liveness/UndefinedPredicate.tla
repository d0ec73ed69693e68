-------------------------- MODULE UndefinedPredicate ------------------------
(* A state predicate of a temporal property that has no value in one state.  *)
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
Spec == Init /\ [][Next]_x /\ WF_x(Next)
Bad == []<>(IF x = 2 THEN x = "two" ELSE x = 1)
=============================================================================
