---- MODULE Factory ----
EXTENDS Naturals
VARIABLES a, b
Left == INSTANCE Machine WITH part <- a, Size <- 1
Right == INSTANCE Machine WITH part <- b, Size <- 2
Init == Left!Init /\ Right!Init
Next == Left!Make /\ Right!Make
Spec == Init /\ [][Next]_<<a, b>>
Many == 7
Pick(S) == CHOOSE s \in S : TRUE
====
