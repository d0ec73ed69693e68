---- MODULE SubexpressionNames ----
\* A part of a definition has the level of the part, with what is given for the names around it.
VARIABLES x, y
Some == \E a \in {1} : a = x /\ a' = y
Hidden == \EE h : h = 1
ASSUME Hidden!(1)
Low == Some!(2)!1'
High == Some!(2)!2'
AlsoHigh == Some!(y')!1'
====
