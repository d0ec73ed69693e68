----------------------------- MODULE WeakOrStrong ---------------------------
(* A door that opens and closes: going through is possible again and again,  *)
(* but never for good. Weak fairness of it is not enough, strong is.         *)
VARIABLES door, place
vars == <<door, place>>

Init == door = "closed" /\ place = "outside"
Turn == door' = (IF door = "open" THEN "closed" ELSE "open") /\ UNCHANGED place
Enter == door = "open" /\ place = "outside" /\ place' = "inside" /\ UNCHANGED door
Next == Turn \/ Enter

Weak == Init /\ [][Next]_vars /\ WF_vars(Turn) /\ WF_vars(Enter)
Strong == Init /\ [][Next]_vars /\ WF_vars(Turn) /\ SF_vars(Enter)
GetsIn == <>(place = "inside")
StaysIn == <>[](place = "inside")
=============================================================================
