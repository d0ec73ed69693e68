---- MODULE ImplicitSubstitutions ----
---- MODULE Bounded ----
CONSTANT limit
VARIABLE x
Inv == x = limit
====
VARIABLES x, limit
B == INSTANCE Bounded
====
