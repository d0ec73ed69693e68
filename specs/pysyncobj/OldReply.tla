------------------------------ MODULE OldReply ------------------------------
(* One behaviour of PySyncObj with five nodes, step by step: replies have no *)
(* term, and one for an earlier term of the same leader counts.              *)
EXTENDS PySyncObj

CONSTANTS n1, n2, n3, n4, n5
Five == {n1, n2, n3, n4, n5}

Steps == <<
    \* n1 is the leader of term 1. n2 has its entries 2 and 3, and what it replies is late.
    <<"stands", n1>>, <<"hears", n2, n1>>, <<"hears", n3, n1>>, <<"hears", n1, n2>>, <<"hears", n1, n3>>,
    <<"asks", n1>>, <<"hears", n2, n1>>, <<"hears", n2, n1>>,
    \* n4 is the leader of term 2, and puts its entry 2 in the place of that of n1.
    <<"hears", n4, n1>>, <<"stands", n4>>, <<"hears", n5, n4>>, <<"hears", n3, n4>>, <<"hears", n4, n5>>,
    <<"hears", n4, n3>>, <<"hears", n1, n4>>, <<"hears", n1, n4>>, <<"hears", n1, n4>>, <<"hears", n5, n4>>,
    \* n1 is the leader of term 3, with another entry 3.
    <<"stands", n1>>, <<"hears", n5, n1>>, <<"hears", n5, n1>>, <<"hears", n5, n1>>, <<"hears", n5, n1>>,
    <<"hears", n4, n1>>, <<"hears", n4, n1>>, <<"hears", n4, n1>>, <<"hears", n4, n1>>, <<"hears", n1, n4>>,
    <<"hears", n1, n5>>,
    \* What n2 replied in term 1 comes now: n1 takes it for its entry 3.
    <<"hears", n1, n2>>, <<"hears", n1, n2>>,
    \* n4 has that entry; n1 counts three and commits it.
    <<"hears", n4, n1>>, <<"hears", n1, n4>>,
    \* n5 is the leader of term 4, without that entry.
    <<"stands", n5>>, <<"hears", n2, n5>>, <<"hears", n3, n5>>, <<"hears", n5, n2>>, <<"hears", n5, n3>>
>>

\* For an action constraint: each step is the next of these.
AsTold ==
    LET n == TLCGet("level")
        step == Steps[n]
        isShorter(i, j) == Len(net'.queue[j][i]) < Len(net.queue[j][i])
    IN  /\ n <= Len(Steps)
        /\ CASE step[1] = "stands" -> term'[step[2]] > term[step[2]] /\ role'[step[2]] = "candidate"
             [] step[1] = "asks" -> spent'.requests > spent.requests /\ log'[step[2]] # log[step[2]]
             [] step[1] = "hears" -> isShorter(step[2], step[3])
=============================================================================
