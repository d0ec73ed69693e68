---- MODULE @NAME@ ----
\* Nodes that count, and tell each other how far they are.
\*
\* Each action is one thing that can be done to real processes: a client asks, a message is delivered, a process dies or
\* is started again. After it the node has handled what came, and sleeps.
EXTENDS Naturals, Sequences, FiniteSets, TcpNetwork

CONSTANTS MaxRequests, MaxCrashes

VARIABLES
  count,  \* how far each node is, as far as it knows; durable
  net,    \* TcpNetwork: what is under way, and who runs
  spent   \* how much of each budget

vars == <<count, net, spent>>

Max(a, b) == IF a > b THEN a ELSE b
Count(n) == [type |-> "count", value |-> n]

Init == /\ count = [i \in Node |-> 0]
        /\ net = Connections
        /\ spent = [requests |-> 0, crashes |-> 0]

Spend(what, most) == spent[what] < most /\ spent' = [spent EXCEPT ![what] = @ + 1]

\* A client asks i, which tells all that are connected.
Add(i) == /\ Spend("requests", MaxRequests)
          /\ IsUp(net, i)
          /\ count' = [count EXCEPT ![i] = @ + 1]
          /\ net' = Broadcast(net, i, Count(count'[i]))

\* The next message from j reaches i.
Receive(i, j) == /\ IsUp(net, i) /\ IsWaiting(net, j, i)
                 /\ count' = [count EXCEPT ![i] = Max(@, First(net, j, i).value)]
                 /\ net' = Take(net, j, i)
                 /\ UNCHANGED spent

\* The process of i is killed. What was under way from it and to it is lost.
Crash(i) == /\ Spend("crashes", MaxCrashes)
            /\ IsUp(net, i)
            /\ net' = Crashed(net, i)
            /\ UNCHANGED count

Restart(i) == /\ ~IsUp(net, i)
              /\ net' = Restarted(net, i)
              /\ UNCHANGED <<count, spent>>

Next == \/ \E i \in Node : Add(i) \/ Crash(i) \/ Restart(i)
        \/ \E i, j \in Node : Receive(i, j)

Spec == Init /\ [][Next]_vars

\* Nobody is told more than its sender knows.
ToldIsKnown ==
  \A i, j \in Node : \A n \in DOMAIN net.queue[i][j] : net.queue[i][j][n].value <= count[i]

\* A count never goes back, whoever dies.
CountMonotonic == [][\A i \in Node : count[i] <= count'[i]]_vars
====
