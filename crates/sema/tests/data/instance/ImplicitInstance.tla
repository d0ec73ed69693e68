---- MODULE ImplicitInstance ----
---- MODULE M ----
CONSTANT I
Op == I
====
---- MODULE N ----
====
I == INSTANCE N
INSTANCE M
====
