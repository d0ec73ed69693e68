---- MODULE EventuallyAnAction ----
VARIABLES x, y
vars == <<x, y>>
Next == x' = y /\ y' = x
Bare == <>Next
WrongBrackets == <>[Next]_vars
Fine == <><<Next>>_vars /\ []<><<Next>>_vars /\ <>(x = y)
====
