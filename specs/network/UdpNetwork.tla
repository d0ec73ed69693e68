----------------------------- MODULE UdpNetwork -----------------------------
(* A network of datagrams: each may be lost, may come twice, and may be      *)
(* overtaken by any other. Equal datagrams cannot be told apart, so that the *)
(* network is a bag of them: a function from datagrams to how many there     *)
(* are.                                                                      *)
(*                                                                           *)
(* The network is a value: a specification keeps it in one variable, and     *)
(* says `net' = Send(net, i, j, m)`. Here are no variables and no budgets.   *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANT Node

\* Nothing is under way.
Silence == [d \in {} |-> 0]

-----------------------------------------------------------------------------
Datagram(i, j, m) == [from |-> i, to |-> j, body |-> m]
Held(n) == DOMAIN n
Waiting(n, i, j) == {d.body : d \in {e \in DOMAIN n : e.from = i /\ e.to = j}}

Put(n, d) == [e \in DOMAIN n \cup {d} |-> IF e = d /\ d \in DOMAIN n THEN n[d] + 1
                                          ELSE IF e = d THEN 1 ELSE n[e]]
Send(n, i, j, m) == Put(n, Datagram(i, j, m))

\* The same message for each node of s.
RECURSIVE SendTo(_, _, _, _)
SendTo(n, i, s, m) ==
    IF s = {} THEN n ELSE LET j == CHOOSE j \in s : TRUE IN SendTo(Send(n, i, j, m), i, s \ {j}, m)

\* For each node j of s the message ms[j].
RECURSIVE SendEach(_, _, _, _)
SendEach(n, i, s, ms) ==
    IF s = {} THEN n ELSE LET j == CHOOSE j \in s : TRUE IN SendEach(Send(n, i, j, ms[j]), i, s \ {j}, ms)

\* One of them is gone: it was taken, or lost. What comes twice is taken and stays: no change.
Take(n, d) == IF n[d] > 1 THEN [n EXCEPT ![d] = @ - 1] ELSE [e \in DOMAIN n \ {d} |-> n[e]]

\* The network where the sequence q[i][j] is under way from i to j, in whatever order.
FromSequences(q) ==
    LET places == UNION {{<<i, j, n>> : n \in DOMAIN q[i][j]} : i \in Node, j \in Node}
        at(p) == Datagram(p[1], p[2], q[p[1]][p[2]][p[3]])
    IN  [d \in {at(p) : p \in places} |-> Cardinality({p \in places : at(p) = d})]

RECURSIVE SumOver(_, _)
SumOver(f, s) == IF s = {} THEN 0 ELSE LET x == CHOOSE x \in s : TRUE IN f[x] + SumOver(f, s \ {x})
UnderWay(n) == SumOver(n, DOMAIN n)
=============================================================================
