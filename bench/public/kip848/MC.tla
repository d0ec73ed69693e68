---- MODULE MC ----
EXTENDS consumer_group_protocol_kip_848_v2
Bound == TLCGet("level") < 13
====
