---- MODULE M ----
1a == 2PC
_x == x_
W == WFx + SFx + W_ + S_1
WF == SF
x1_y2 == 1a2b
====
