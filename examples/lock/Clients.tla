------------------------------- MODULE Clients -------------------------------
\* Clients learn until when they hold the lease, and write until then.
EXTENDS LockBase

ClientInit ==
  /\ mine = [c \in Clients |-> 0]
  /\ writer = None
  /\ late = FALSE

Learn(c) ==
  /\ holder = c
  /\ mine[c] # until
  /\ mine' = [mine EXCEPT ![c] = until]

Write(c) ==
  /\ clock < mine[c]
  /\ writer # c
  /\ writer' = c
  /\ late' = (holder # c)
=============================================================================
