---- MODULE M ----
CONSTANT c
VARIABLE v
Get == <<c, v>>
====
