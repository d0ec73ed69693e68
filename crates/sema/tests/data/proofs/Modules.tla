---- MODULE Modules ----
EXTENDS Naturals
THEOREM TRUE BY MODULE Naturals DEF MODULE Modules
THEOREM TRUE BY MODULE Sequences
====
