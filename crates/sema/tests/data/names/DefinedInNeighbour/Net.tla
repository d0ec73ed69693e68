---- MODULE Net ----
VARIABLE msgs
Empty == msgs = {}
====
