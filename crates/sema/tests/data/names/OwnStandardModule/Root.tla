---- MODULE Root ----
EXTENDS Apalache
A == ApaFoldSet(LAMBDA x, y: x, 0, {1})
B == Gen(3)
====
