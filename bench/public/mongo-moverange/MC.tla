---- MODULE MC ----
EXTENDS MCMoveRange
====
