---- MODULE MC ----
EXTENDS ConcurrentPercolator, TLC
CONSTANTS c1, c2, c3
Keys == {1, 2}
Clients == {c1, c2, c3}
PrimaryKeys == [c \in Clients |-> 1]
ClientSymmetry == Permutations(Clients)
Bound == TLCGet("level") < 27
====
