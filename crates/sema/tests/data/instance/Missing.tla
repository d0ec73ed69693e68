---- MODULE Missing ----
---- MODULE M ----
CONSTANTS c, Op(_)
VARIABLE v
Get == <<c, Op(1), v>>
====
I == INSTANCE M WITH v <- 1
====
