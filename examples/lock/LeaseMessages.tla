---------------------------- MODULE LeaseMessages ----------------------------
\* The fine grain: clients ask, and are served in the order of their requests.
EXTENDS Leases, Sequences

VARIABLE queue   \* the requests that wait

QueueInit == LeaseInit /\ queue = <<>>

Ask(c) ==
  /\ \A i \in 1..Len(queue) : queue[i] # c
  /\ queue' = Append(queue, c)

Grant ==
  /\ holder = None
  /\ queue # <<>>
  /\ Give(Head(queue))
  /\ queue' = Tail(queue)

QueueForget(c) == queue' = SelectSeq(queue, LAMBDA d : d # c)
=============================================================================
