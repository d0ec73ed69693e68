--------------------------- MODULE SavesTheSender ---------------------------
(* A mutant of ../protocols/ConsistentCut.tla. A process that sees a marker  *)
(* records the purse of whoever sent it: `q` became `p`.                     *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS N, Coins, MaxChannel

Proc == 1..N
Pair == {p \in Proc \X Proc : p[1] # p[2]}

VARIABLES
    purse,      \* coins of each process
    channel,    \* "coin" and "marker" on the way, by pair
    saved,      \* the recorded purse, or NotYet
    listening,  \* the channels into p that are being recorded
    caught      \* coins recorded on each channel

vars == <<purse, channel, saved, listening, caught>>

NotYet == 999

Init ==
    /\ purse = [p \in Proc |-> IF p = 1 THEN Coins ELSE 0]
    /\ channel = [c \in Pair |-> <<>>]
    /\ saved = [p \in Proc |-> NotYet]
    /\ listening = [p \in Proc |-> {}]
    /\ caught = [c \in Pair |-> 0]

Give(p, q) ==
    /\ purse[p] > 0
    /\ Len(channel[<<p, q>>]) < MaxChannel
    /\ purse' = [purse EXCEPT ![p] = @ - 1]
    /\ channel' = [channel EXCEPT ![<<p, q>>] = Append(@, "coin")]
    /\ UNCHANGED <<saved, listening, caught>>

\* The channels after p has put a marker on every channel out of it.
Marked(ch, p) == [c \in Pair |-> IF c[1] = p THEN Append(ch[c], "marker") ELSE ch[c]]

Begin ==
    /\ \A p \in Proc : saved[p] = NotYet
    /\ saved' = [saved EXCEPT ![1] = purse[1]]
    /\ listening' = [listening EXCEPT ![1] = Proc \ {1}]
    /\ channel' = Marked(channel, 1)
    /\ UNCHANGED <<purse, caught>>

TakeCoin(p, q) ==
    /\ channel[<<p, q>>] # <<>>
    /\ Head(channel[<<p, q>>]) = "coin"
    /\ purse' = [purse EXCEPT ![q] = @ + 1]
    /\ channel' = [channel EXCEPT ![<<p, q>>] = Tail(@)]
    /\ caught' = IF p \in listening[q] THEN [caught EXCEPT ![<<p, q>>] = @ + 1] ELSE caught
    /\ UNCHANGED <<saved, listening>>

TakeMarker(p, q) ==
    /\ channel[<<p, q>>] # <<>>
    /\ Head(channel[<<p, q>>]) = "marker"
    /\ LET rest == [channel EXCEPT ![<<p, q>>] = Tail(@)]
       IN  IF saved[q] = NotYet
           THEN /\ saved' = [saved EXCEPT ![q] = purse[p]]
                /\ listening' = [listening EXCEPT ![q] = Proc \ {p, q}]
                /\ channel' = Marked(rest, q)
           ELSE /\ listening' = [listening EXCEPT ![q] = @ \ {p}]
                /\ channel' = rest
                /\ UNCHANGED saved
    /\ UNCHANGED <<purse, caught>>

Next == Begin \/ \E <<p, q>> \in Pair : Give(p, q) \/ TakeCoin(p, q) \/ TakeMarker(p, q)
Spec == Init /\ [][Next]_vars

RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + Sum(f, S \ {x})
Markers == \E c \in Pair : \E i \in 1..Len(channel[c]) : channel[c][i] = "marker"
Finished == ~Markers /\ \A p \in Proc : saved[p] # NotYet /\ listening[p] = {}
AddsUp == Finished => Sum(saved, Proc) + Sum(caught, Pair) = Coins
=============================================================================
