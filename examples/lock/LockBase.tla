------------------------------ MODULE LockBase ------------------------------
\* What all modules of the lock service know: its constants, the variables
\* through which modules meet, and operators that a grain may supply.
EXTENDS Naturals

CONSTANTS
  Clients,
  None,      \* no client
  Term,      \* how long a lease lasts
  MaxClock   \* bounds the search

VARIABLES
  clock,     \* the time
  holder,    \* the client that has the lease, or None
  until,     \* when the lease ends
  mine,      \* for each client, until when it takes itself for the holder
  writer,    \* who has written last
  late       \* whether a client has written without the lease

\* Whatever the lease service remembers of a client that crashes.
LeaseForget(c) == TRUE
=============================================================================
