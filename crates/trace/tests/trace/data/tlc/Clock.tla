---- MODULE Clock ----
EXTENDS Integers, TLC
VARIABLE x
Init == x = 0
Up == x < 2 /\ x' = x + 1
Down(by) == x = 2 /\ x' = x - by
Next == Up \/ Down(1)
Spec == Init /\ [][Next]_x
Fair == Spec /\ WF_x(Next)
Settles == <>[](x = 1)
Ends == <>(x = 7)
Positive == x > 0
OnlyUp == [][x' > x]_x
NextA == Assert(x < 1, "the end\n of it") /\ x' = x + 1
Stop == x < 2 /\ x' = x + 1
====
