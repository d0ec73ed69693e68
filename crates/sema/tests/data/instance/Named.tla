---- MODULE Named ----
EXTENDS Naturals
---- MODULE Counter ----
EXTENDS Naturals
CONSTANT Step
VARIABLE n
Init == n = 0
Next == n' = n + Step
Twice == Init /\ Next
Fixed == 1 + 1
Later(k) == \E i \in {k} : n = i
====
VARIABLES a, b
Left == INSTANCE Counter WITH n <- a, Step <- 1
Right == INSTANCE Counter WITH n <- b + 1, Step <- Left!Fixed
Init == Left!Init /\ Right!Init
Next == Left!Twice \/ Right!Later(5)
Same == Left!Fixed = Right!Fixed
====
