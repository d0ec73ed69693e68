----------------------------- MODULE TcpNetwork -----------------------------
(* A network of connections. Between two nodes there is one connection, up   *)
(* or down, with a queue in each direction: what is sent arrives in order,   *)
(* or is lost with the connection. A cut or the crash of an end loses both   *)
(* queues, and both ends see it at once; what is sent while the connection   *)
(* is down vanishes.                                                         *)
(*                                                                           *)
(* The network is a value: a specification keeps it in one variable, and     *)
(* says `net' = Send(net, i, j, m)`. Here are no variables and no budgets.   *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANT Node

Pairs == {p \in SUBSET Node : Cardinality(p) = 2}

\* All nodes run, and all are connected.
Connections ==
    [queue |-> [i \in Node |-> [j \in Node |-> <<>>]],   \* queue[i][j]: what is under way from i to j
     cut |-> {},                                         \* pairs of nodes that cannot connect
     down |-> {}]                                        \* nodes that do not run

-----------------------------------------------------------------------------
AreConnected(n, i, j) == i # j /\ {i, j} \notin n.cut /\ i \notin n.down /\ j \notin n.down
Peers(n, i) == {j \in Node : AreConnected(n, i, j)}
IsUp(n, i) == i \notin n.down

Send(n, i, j, m) == IF AreConnected(n, i, j) THEN [n EXCEPT !.queue[i][j] = Append(@, m)] ELSE n

\* The same message for each peer of i.
Broadcast(n, i, m) ==
    [n EXCEPT !.queue[i] = [j \in Node |-> IF AreConnected(n, i, j) THEN Append(@[j], m) ELSE @[j]]]

\* For each peer j of i the messages of the sequence ms[j].
SendEach(n, i, ms) ==
    [n EXCEPT !.queue[i] = [j \in Node |-> IF AreConnected(n, i, j) THEN @[j] \o ms[j] ELSE @[j]]]

IsWaiting(n, i, j) == n.queue[i][j] # <<>>
First(n, i, j) == Head(n.queue[i][j])
Take(n, i, j) == [n EXCEPT !.queue[i][j] = Tail(@)]

-----------------------------------------------------------------------------
\* No queue where no connection is.
Dropped(n) ==
    [n EXCEPT !.queue = [i \in Node |-> [j \in Node |-> IF AreConnected(n, i, j) THEN @[i][j] ELSE <<>>]]]

CutPairs(n, ps) == Dropped([n EXCEPT !.cut = @ \cup ps])
CutOff(n, s) == CutPairs(n, {p \in Pairs : p \cap s # {} /\ p \ s # {}})
HealAll(n) == [n EXCEPT !.cut = {}]
Crashed(n, i) == Dropped([n EXCEPT !.down = @ \cup {i}])
Restarted(n, i) == [n EXCEPT !.down = @ \ {i}]

\* How many messages are under way from i to j, at most; for constraints.
RECURSIVE SumOver(_, _)
SumOver(f, s) == IF s = {} THEN 0 ELSE LET x == CHOOSE x \in s : TRUE IN f[x] + SumOver(f, s \ {x})
UnderWay(n) == SumOver([p \in Node \X Node |-> Len(n.queue[p[1]][p[2]])], Node \X Node)
=============================================================================
