---- MODULE TwoRelations ----
VARIABLES x, y
Init == x = 0 /\ y = 0
A == x' = 1
B == y' = 1
P == x = 0
Composed == Init /\ [][A]_x /\ [][B]_y
Always == Init /\ [][A /\ B]_<<x, y>> /\ []P
Bare == Init /\ A
Hidden == \EE h : Init /\ [][A /\ B]_<<x, y, h>>
I(z) == Init /\ [][A /\ z]_<<x, y>>
Given == I(B)
Inv == TRUE
====
