------------------------------- MODULE Leases -------------------------------
\* What every grain of the lease service does.
EXTENDS LockBase

LeaseInit ==
  /\ clock = 0
  /\ holder = None
  /\ until = 0

Tick ==
  /\ clock < MaxClock
  /\ clock' = clock + 1

Give(c) ==
  /\ holder' = c
  /\ until' = clock + Term

Expire ==
  /\ holder # None
  /\ clock >= until
  /\ holder' = None
=============================================================================
