---- MODULE MC ----
EXTENDS replication, TLC
MasterRoutingTableWellFormed == WellFormedRoutingTable(clusterStateOnMaster.routingTable)
Limit == nextClientValue <= 2 /\ Cardinality(messages) <= 4
Bound == TLCGet("level") < 9
====
