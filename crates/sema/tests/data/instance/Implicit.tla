---- MODULE Implicit ----
---- MODULE M ----
CONSTANTS c, Op(_), d
VARIABLES v, w
Get == <<c, Op(1), v, w, d>>
====
CONSTANTS c, d
Op(x) == {x}
VARIABLES v
w == <<v>>
I == INSTANCE M WITH d <- 7
A == I!Get
B == LET d2 == 1 IN I!Get
====
