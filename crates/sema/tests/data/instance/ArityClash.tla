---- MODULE ArityClash ----
---- MODULE M ----
Thing(x) == 1
====
---- MODULE N ----
Thing == 1
====
INSTANCE M
INSTANCE N
====
