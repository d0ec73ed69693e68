---- MODULE Helper ----
---- MODULE M ----
CONSTANT c
Get == c
====
LOCAL INSTANCE M WITH c <- 1
Shown == Get
====
