---- MODULE MC ----
EXTENDS MCetcdraft
Shallow == TLCGet("level") < 10
====
