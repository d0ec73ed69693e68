---- MODULE Middle ----
CONSTANT c
Get == <<c>>
J == INSTANCE Deepest WITH d <- c
====
