---- MODULE SelfAsParameter ----
F(F) == F
RECURSIVE G(_)
G(G) == G
====
