\* Temporal properties that ask how long the queue is. TLC evaluates them in a state and its successors when all of these are in
\* the queue, and in an initial state when it was put there: so a log is accepted if the queue is not empty before its end.
---- MODULE RunQueue ----
EXTENDS Naturals, Sequences, TLC
CONSTANTS Log, First
VARIABLES holder, l
vars == <<holder, l>>

\* Who took a lock, and 0 where somebody dropped it; 3 is somebody who is not known yet.
Good == <<1, 0, 2, 0>>
Bad == <<1, 2, 0>>
Guessed == <<3, 0, 1>>
FromFree == {0}
FromAny == {0, 1}
FromHeld == {1, 2}

Init == holder \in First /\ l = 1
Line == Log[l]
Take == l <= Len(Log) /\ Line # 0 /\ holder = 0 /\ l' = l + 1
        /\ holder' \in (IF Line = 3 THEN {1, 2} ELSE {Line})
Drop == l <= Len(Log) /\ Line = 0 /\ holder # 0 /\ l' = l + 1 /\ holder' = 0
Next == Take \/ Drop
Spec == Init /\ [][Next]_vars
Fair == Spec /\ WF_vars(Next)
View == <<holder, l>>

Matched == [](l <= Len(Log) => [](TLCGet("queue") = 1 \/ l > Len(Log)))
SomeMatched == [](l <= Len(Log) => [](TLCGet("queue") \in Nat \ {0} \/ l > Len(Log)))
Empties == <>(TLCGet("queue") = 0)
StaysShort == <>[](TLCGet("queue") <= 1)
IsLongAgain == []<>(TLCGet("queue") = 1)
LeadsToMany == (l = 1) ~> (TLCGet("distinct") >= 4)
====
