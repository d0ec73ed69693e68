---- MODULE Pair ----
VARIABLE value
Fill == value' = 1
Twice == Fill
====
