--------------------------- MODULE AlwaysTheFirst ---------------------------
(* A mutant of ../protocols/AlternatingBit.tla. What is transmitted is       *)
(* always the first item: `Len(sent)` became `1`.                            *)
EXTENDS Naturals, Sequences

CONSTANTS Data, MaxChannel, MaxItems

VARIABLES sent, got, sBit, rBit, there, back

vars == <<sent, got, sBit, rBit, there, back>>

Init ==
    /\ sent = <<>> /\ got = <<>>
    /\ sBit = 0 /\ rBit = 1
    /\ there = <<>> /\ back = <<>>

\* A new item only when the last one has been acknowledged.
NewItem(d) ==
    /\ Len(sent) < MaxItems
    /\ sent = <<>> \/ (back # <<>> /\ Head(back) = sBit)
    /\ sent' = Append(sent, d)
    /\ IF sent = <<>> THEN UNCHANGED <<sBit, back>> ELSE sBit' = 1 - sBit /\ back' = Tail(back)
    /\ UNCHANGED <<got, rBit, there>>
Transmit ==
    /\ sent # <<>>
    /\ Len(there) < MaxChannel
    /\ there' = Append(there, <<sBit, sent[1]>>)
    /\ UNCHANGED <<sent, got, sBit, rBit, back>>
Accept ==
    /\ there # <<>>
    /\ LET m == Head(there)
       IN  IF m[1] # rBit
           THEN got' = Append(got, m[2]) /\ rBit' = m[1]
           ELSE UNCHANGED <<got, rBit>>
    /\ there' = Tail(there)
    /\ UNCHANGED <<sent, sBit, back>>
Acknowledge ==
    /\ got # <<>>
    /\ Len(back) < MaxChannel
    /\ back' = Append(back, rBit)
    /\ UNCHANGED <<sent, got, sBit, rBit, there>>
Ignore == back # <<>> /\ Head(back) # sBit /\ back' = Tail(back) /\ UNCHANGED <<sent, got, sBit, rBit, there>>
Drop(q) == {SubSeq(q, 1, i - 1) \o SubSeq(q, i + 1, Len(q)) : i \in 1..Len(q)}
Lose ==
    \/ there' \in Drop(there) /\ UNCHANGED back
    \/ back' \in Drop(back) /\ UNCHANGED there
Next ==
    \/ (\E d \in Data : NewItem(d)) \/ Transmit \/ Accept \/ Acknowledge \/ Ignore
    \/ Lose /\ UNCHANGED <<sent, got, sBit, rBit>>
Spec == Init /\ [][Next]_vars

InOrder == Len(got) <= Len(sent) /\ \A i \in 1..Len(got) : got[i] = sent[i]
=============================================================================
