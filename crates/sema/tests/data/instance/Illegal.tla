---- MODULE Illegal ----
---- MODULE M ----
CONSTANTS count
Get == count
====
I == INSTANCE M WITH Get <- 1, count <- 2
J == INSTANCE M WITH cuont <- 1, count <- 2
K == INSTANCE M WITH nothing <- Unknown, count <- 2
====
