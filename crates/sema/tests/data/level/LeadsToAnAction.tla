---- MODULE LeadsToAnAction ----
VARIABLES x, y
Next == x' = y
Left == Next ~> x
Right == x ~> (y' = 1)
Guarantee == x -+-> Next
Fine == x ~> y /\ (x ~> []y) /\ (<><<Next>>_x ~> y)
====
