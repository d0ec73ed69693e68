---- MODULE Outer ----
CONSTANT c
VARIABLE v
---- MODULE Inner ----
CONSTANT k
Get == <<c, v, k>>
Own == k
====
I == INSTANCE Inner WITH k <- <<c>>
Get == I!Get
====
