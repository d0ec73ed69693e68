---- MODULE Base ----
CONSTANT c
VARIABLE v
Get == <<c, v>>
Free == c
====
