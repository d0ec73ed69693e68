---- MODULE Helper ----
---- MODULE M ----
Get == 1
====
LOCAL Hidden == INSTANCE M
Shown == Hidden!Get
====
