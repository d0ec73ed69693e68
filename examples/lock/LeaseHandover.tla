---------------------------- MODULE LeaseHandover ----------------------------
\* A coarse grain that does not preserve interaction: a lease that has ended
\* goes to the next client at once, so nobody ever sees a free lease again.
EXTENDS Leases

Handover(c) ==
  /\ holder # c
  /\ clock >= until
  /\ Give(c)
=============================================================================
