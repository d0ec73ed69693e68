---- MODULE Section ----
---- MODULE Inner ----
Op == 1
====
RECURSIVE F(_)
CONSTANT C
VARIABLE v
ASSUME TRUE
THEOREM TRUE
Between == F(1)
I == INSTANCE Inner
INSTANCE Inner
USE TRUE
---- MODULE InBetween ----
====
F(x) == F(x)
ASSUME TRUE
====
