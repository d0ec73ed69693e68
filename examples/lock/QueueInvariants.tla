--------------------------- MODULE QueueInvariants ---------------------------
EXTENDS LeaseMessages, FiniteSets

QueueIsShort == Len(queue) <= Cardinality(Clients)
=============================================================================
