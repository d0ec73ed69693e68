---- MODULE InLetInstantiated ----
\* An INSTANCE in a LET, seen through another INSTANCE: what it made is made again.
---- MODULE M ----
CONSTANT c
Get == <<c>>
Both == <<Get, Get>>
====
---- MODULE User ----
CONSTANT d
F(x) == LET I == INSTANCE M WITH c <- <<x, d>> IN I!Both
Plain(x) == LET I == INSTANCE M WITH c <- x IN I!Get
Uses(x) == <<Plain(x), d>>
====
U == INSTANCE User WITH d <- 5
A == <<U!F(6), U!Plain(7), U!Uses(8)>>
====
