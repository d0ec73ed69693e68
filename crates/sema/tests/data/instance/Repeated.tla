---- MODULE Repeated ----
---- MODULE M ----
CONSTANTS c
====
I == INSTANCE M WITH c <- 1, c <- 2
====
