------------------------- MODULE AcknowledgesUnseen -------------------------
(* A mutant of ../protocols/SlidingWindow.tla. The receiver acknowledges     *)
(* what was sent and not what it has: `expected'` became `next`.             *)
EXTENDS Naturals, Sequences

CONSTANTS Window, Numbers, Items, MaxChannel

VARIABLES
    base,      \* items before this one are acknowledged
    next,      \* the next item that was not sent yet
    expected,  \* what the receiver waits for
    there, back

vars == <<base, next, expected, there, back>>
Num(i) == i % Numbers

Init == base = 0 /\ next = 0 /\ expected = 0 /\ there = <<>> /\ back = <<>>

SendNew ==
    /\ next < base + Window /\ next < Items
    /\ Len(there) < MaxChannel
    /\ there' = Append(there, [num |-> Num(next), item |-> next])
    /\ next' = next + 1
    /\ UNCHANGED <<base, expected, back>>
Resend ==
    /\ \E i \in base..(next - 1) :
        /\ Len(there) < MaxChannel
        /\ there' = Append(there, [num |-> Num(i), item |-> i])
    /\ UNCHANGED <<base, next, expected, back>>
Receive ==
    /\ there # <<>>
    /\ Len(back) < MaxChannel
    /\ LET m == Head(there)
       IN  /\ expected' = IF m.num = Num(expected) THEN expected + 1 ELSE expected
           /\ back' = Append(back, Num(next))
    /\ there' = Tail(there)
    /\ UNCHANGED <<base, next>>
\* An acknowledgement names the number that is wanted next.
Advance ==
    /\ back # <<>>
    /\ base' = IF \E k \in 1..(next - base) : Num(base + k) = Head(back)
               THEN base + (CHOOSE k \in 1..(next - base) : Num(base + k) = Head(back))
               ELSE base
    /\ back' = Tail(back)
    /\ UNCHANGED <<next, expected, there>>
Lose ==
    \/ there # <<>> /\ there' = Tail(there) /\ UNCHANGED <<base, next, expected, back>>
    \/ back # <<>> /\ back' = Tail(back) /\ UNCHANGED <<base, next, expected, there>>
Next == SendNew \/ Resend \/ Receive \/ Advance \/ Lose
Spec == Init /\ [][Next]_vars

NothingSkipped == base <= expected /\ expected <= next /\ next <= base + Window
RightItem ==
    there # <<>> /\ Head(there).num = Num(expected) => Head(there).item = expected
=============================================================================
