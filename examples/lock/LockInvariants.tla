--------------------------- MODULE LockInvariants ---------------------------
EXTENDS LockBase

NoLateWrite == ~late

\* Clients never believe in a longer lease than the service has given.
NobodyOutlives == \A c \in Clients : mine[c] <= until
=============================================================================
