---- MODULE MC ----
EXTENDS BookKeeperProtocol, TLC
Bound == TLCGet("level") < 13
====
