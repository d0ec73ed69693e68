---- MODULE FormulaIsNoValue ----
\* A temporal formula holds of a behaviour, so it has no value to put into a set or a tuple.
VARIABLES x, y
F == []x
InSet == {F, 1}
InTuple == <<x, <>y>>
Compared == F = TRUE
Applied == x[F]
Changed == [x EXCEPT ![1] = F]
Chosen == CHOOSE z \in y : z ~> x
Filtered == {z \in y : F}
InAction == [F]_x
Primed == F'
Fine == IF x THEN F ELSE CASE y -> F [] OTHER -> ~F
====
