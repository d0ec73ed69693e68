---- MODULE Boxes ----
CONSTANT c
Get == <<c>>
Both == <<Get, Get>>
====
