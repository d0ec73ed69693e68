------------------------------- MODULE Lease -------------------------------
(***************************************************************************)
(* A server lends a lease to one client at a time. A client that holds it  *)
(* may renew it or give it back; when it has run out, the server may lend  *)
(* it to another.                                                          *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
  Clients,    \* those who may ask
  Duration    \* how long a lease lasts, in ticks

ASSUME Duration \in Nat \ {0}

VARIABLES
  holders,    \* the clients that have the lease
  left        \* ticks until the lease runs out

vars == <<holders, left>>

TypeOK ==
  /\ holders \subseteq Clients
  /\ left \in 0..Duration

Init ==
  /\ holders = {}
  /\ left = 0

Grant(c) ==
  /\ holders = {}
  /\ holders' = {c}
  /\ left' = Duration

Renew(c) ==
  /\ c \in holders
  /\ left' = Duration
  /\ UNCHANGED holders

Release(c) ==
  /\ c \in holders
  /\ holders' = holders \ {c}
  /\ left' = 0

Tick ==
  /\ left > 0
  /\ left' = left - 1
  /\ holders' = IF left = 1 THEN {} ELSE holders

Next ==
  \/ \E c \in Clients : Grant(c) \/ Renew(c) \/ Release(c)
  \/ Tick

Spec == Init /\ [][Next]_vars /\ WF_vars(Tick)

-----------------------------------------------------------------------------
AtMostOneHolder == Cardinality(holders) <= 1
=============================================================================
