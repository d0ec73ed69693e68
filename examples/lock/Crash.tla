-------------------------------- MODULE Crash --------------------------------
\* A client stops, and comes back without its memory.
EXTENDS LockBase

Crash(c) ==
  /\ mine[c] # 0
  /\ mine' = [mine EXCEPT ![c] = 0]
  /\ LeaseForget(c)
=============================================================================
