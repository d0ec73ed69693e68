---- MODULE MC ----
EXTENDS Raft, TLC
Bound == TLCGet("level") < 19
====
