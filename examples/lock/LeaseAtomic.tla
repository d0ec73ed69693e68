----------------------------- MODULE LeaseAtomic -----------------------------
\* A coarse grain that preserves interaction: requests are internal, so any
\* client may get a free lease at any time.
EXTENDS Leases

GrantAny(c) ==
  /\ holder = None
  /\ Give(c)
=============================================================================
