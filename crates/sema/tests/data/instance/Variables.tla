---- MODULE Variables ----
EXTENDS Naturals
---- MODULE M ----
EXTENDS Naturals
VARIABLES x, y
vars == <<x, y>>
Next == x' = y /\ UNCHANGED y
Spec == [][Next]_vars /\ WF_vars(Next) /\ ENABLED Next
====
VARIABLES p, q
I == INSTANCE M WITH x <- p + q, y <- IF p > q THEN p ELSE q
Spec == I!Spec
====
