---- MODULE Root ----
EXTENDS M
\* Nothing is replaced by another thing, so the definitions are shared.
I == INSTANCE M
A == I!Get = Get
====
