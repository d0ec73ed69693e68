---- MODULE Cell ----
VARIABLE value
Empty == LET unused == 1 IN value = 0
Fill == value' = 1
Leave == value' = value
====
