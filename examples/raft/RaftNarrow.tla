----------------------------- MODULE RaftNarrow -----------------------------
(* `RaftSteps`, narrowed: who may stand in which term, how much each leader  *)
(* is asked for, when it shows that it is there. A mistake that takes thirty *)
(* steps is found in seconds then, and what is found is a behaviour of       *)
(* `RaftSteps`.                                                              *)
EXTENDS RaftSteps

CONSTANTS
    Stands,   \* Stands[t]: who may stand for election in term t
    Asks,     \* Asks[t]: how many entries the leader of term t may add
    Beats     \* the terms in which leaders show that they are there
ASSUME Len(Stands) >= MaxTerm /\ Len(Asks) >= MaxTerm

\* For configurations: n1 leads, then n2, then n1, then n2. Who was not heard stands in the first two terms as well.
Turns == <<{n1, n2}, {n1, n2}, {n1}, {n2}>>
OneTwoOne == <<1, 2, 1, 0>>

Own(i) == Cardinality({n \in DOMAIN log[i] : log[i][n].term = term[i]})

\* A leader sends, and neither took a message nor was asked.
Shows(i) ==
    /\ role[i] = "leader" /\ log' = log /\ up' = up
    /\ \A j \in Server : net'[j][i] = net[j][i]
    /\ \E j \in Server : Len(net'[i][j]) > Len(net[i][j])

\* For an action constraint. Only leaders crash.
AsPlanned ==
    \A i \in Server :
        /\ role'[i] = "candidate" /\ term'[i] # term[i] => i \in Stands[term'[i]]
        /\ role'[i] = "leader" => Own(i)' <= Asks[term'[i]]
        /\ Shows(i) => term[i] \in Beats
        /\ up[i] /\ ~up'[i] => role[i] = "leader"
=============================================================================
