---- MODULE Base ----
CONSTANT N
VARIABLE base
Shared(x) == <<x, base>>
====
