---- MODULE MC ----
EXTENDS VSR, TLC
Bound == TLCGet("level") < 17
====
