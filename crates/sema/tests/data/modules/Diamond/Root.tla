---- MODULE Root ----
EXTENDS Left, Right
VARIABLE own
Op == <<base, own, N, L, R>>
====
