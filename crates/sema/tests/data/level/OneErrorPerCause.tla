---- MODULE OneErrorPerCause ----
\* What is built from a mistake is not a mistake again.
VARIABLES x, y
Bad == x''
UsesBad == Bad'
PassesBad(p) == p'
Passed == PassesBad(Bad)
Conjoined == Bad /\ []x
ASSUME Bad
THEOREM [](Bad)
====
