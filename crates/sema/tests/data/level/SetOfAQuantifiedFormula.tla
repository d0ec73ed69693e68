---- MODULE SetOfAQuantifiedFormula ----
VARIABLES x, y
InNextState == \E z \in x' : [](y = z)
InFormula == \A z \in []x : z = y
InChoose == CHOOSE z \in []x : z = y
InFunction == [z \in <>x |-> z]
Fine == \A z \in x : <>(y = z)
AlsoFine == \A z \in x' : y' = z
====
