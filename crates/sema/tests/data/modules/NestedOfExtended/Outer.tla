---- MODULE Outer ----
---- MODULE Inner ----
CONSTANT c
Get == c
====
====
