---- MODULE Level ----
---- MODULE M ----
CONSTANT c
VARIABLE v
Get == <<c, v>>
====
VARIABLE x
I == INSTANCE M WITH c <- x, v <- x
J == INSTANCE M WITH c <- 1, v <- x'
====
