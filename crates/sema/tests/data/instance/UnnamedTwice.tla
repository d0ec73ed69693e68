---- MODULE UnnamedTwice ----
---- MODULE M ----
CONSTANT c
Get == c
Free == 0
====
\* The first meaning stays, also of `Free`, which does not depend on what is substituted.
INSTANCE M WITH c <- 1
INSTANCE M WITH c <- 2
A == <<Get, Free>>
====
