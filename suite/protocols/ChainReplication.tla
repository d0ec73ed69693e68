--------------------------- MODULE ChainReplication -------------------------
(* Writes enter at the head of a chain and are passed on; the tail answers.  *)
(* What the tail has is safe. A node in the middle or at the end may fail,   *)
(* and its neighbours close the gap.                                         *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Node, MaxWrites

VARIABLES
    chain,    \* the living nodes, head first
    hist,     \* hist[n]: the writes that n has, in order
    sent,     \* writes that clients have sent
    acked     \* writes that were answered

vars == <<chain, hist, sent, acked>>

IsPrefix(s, t) == Len(s) <= Len(t) /\ \A i \in 1..Len(s) : s[i] = t[i]
Orders == {f \in [1..Cardinality(Node) -> Node] : \A i, j \in 1..Cardinality(Node) : f[i] = f[j] => i = j}

Init ==
    /\ chain = CHOOSE f \in Orders : TRUE
    /\ hist = [n \in Node |-> <<>>]
    /\ sent = 0
    /\ acked = 0

Write ==
    /\ sent < MaxWrites
    /\ sent' = sent + 1
    /\ hist' = [hist EXCEPT ![chain[1]] = Append(@, sent + 1)]
    /\ UNCHANGED <<chain, acked>>

Forward(i) ==
    /\ i < Len(chain)
    /\ LET from == hist[chain[i]]
           to == hist[chain[i + 1]]
       IN  /\ Len(to) < Len(from)
           /\ hist' = [hist EXCEPT ![chain[i + 1]] = Append(@, from[Len(to) + 1])]
    /\ UNCHANGED <<chain, sent, acked>>

Answer ==
    /\ acked < Len(hist[chain[Len(chain)]])
    /\ acked' = acked + 1
    /\ UNCHANGED <<chain, hist, sent>>

Fail(i) ==
    /\ Len(chain) > 1
    /\ i \in 2..Len(chain)
    /\ chain' = SubSeq(chain, 1, i - 1) \o SubSeq(chain, i + 1, Len(chain))
    /\ UNCHANGED <<hist, sent, acked>>

Next == Write \/ Answer \/ \E i \in 1..Len(chain) : Forward(i) \/ Fail(i)
Spec == Init /\ [][Next]_vars

Ordered == \A i \in 1..(Len(chain) - 1) : IsPrefix(hist[chain[i + 1]], hist[chain[i]])
AckedIsEverywhere == \A i \in 1..Len(chain) : Len(hist[chain[i]]) >= acked
=============================================================================
