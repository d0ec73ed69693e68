---- MODULE Net ----
CONSTANT Size
VARIABLE msgs
Empty == msgs = {}
====
