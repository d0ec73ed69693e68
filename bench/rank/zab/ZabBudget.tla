------------------------------ MODULE ZabBudget -------------------------------
(* Ordered broadcast in epochs, in the manner of Zab, with budgets for what     *)
(* makes it large, and with one of several mistakes built in (Bug).             *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Server, Bug, MaxEpoch, MaxTxn, MaxDisconnects

VARIABLES
    epoch,      \* the last epoch that a server has promised
    current,    \* the epoch of the leader that it follows
    state,      \* "looking", "leading" or "following"
    hist,       \* transactions [epoch, count], in order
    committed,  \* how many of them are committed
    acks,       \* acks[l][n]: who has acknowledged entry n of leader l
    channel,    \* channel[i][j]
    lost        \* how many connections were lost

vars == <<epoch, current, state, hist, committed, acks, channel, lost>>

Quorum == {Q \in SUBSET Server : 2 * Cardinality(Q) > Cardinality(Server)}
IsPrefix(s, t) == Len(s) <= Len(t) /\ SubSeq(t, 1, Len(s)) = s
Less(a, b) == a.epoch < b.epoch \/ (a.epoch = b.epoch /\ a.count < b.count)
LastOf(h) == IF h = <<>> THEN [epoch |-> 0, count |-> 0] ELSE h[Len(h)]

Init ==
    /\ epoch = [s \in Server |-> 0]
    /\ current = [s \in Server |-> 0]
    /\ state = [s \in Server |-> "looking"]
    /\ hist = [s \in Server |-> <<>>]
    /\ committed = [s \in Server |-> 0]
    /\ acks = [s \in Server |-> [n \in 1..MaxTxn |-> {}]]
    /\ channel = [i \in Server |-> [j \in Server |-> <<>>]]
    /\ lost = 0

\* Discovery and synchronisation in one step: nobody in the quorum has promised a
\* later epoch, and nobody there knows more than the new leader.
Establish(l, Q) ==
    LET e == 1 + (CHOOSE m \in {epoch[s] : s \in Q} : \A s \in Q : epoch[s] <= m)
    IN  /\ l \in Q
        /\ state[l] = "looking"
        /\ e <= MaxEpoch
        /\ Bug = "outdated" \/ \A s \in Q : ~Less(LastOf(hist[l]), LastOf(hist[s]))
        /\ epoch' = [s \in Server |-> IF s \in Q THEN e ELSE epoch[s]]
        /\ current' = [s \in Server |-> IF s \in Q THEN e ELSE current[s]]
        /\ state' = [s \in Server |-> IF s = l THEN "leading" ELSE IF s \in Q THEN "following" ELSE state[s]]
        /\ hist' = [s \in Server |-> IF s \in Q THEN hist[l] ELSE hist[s]]
        /\ acks' = [acks EXCEPT ![l] = [n \in 1..MaxTxn |-> IF n <= Len(hist[l]) THEN Q ELSE {}]]
        /\ channel' = [i \in Server |-> [j \in Server |-> IF i \in Q \/ j \in Q THEN <<>> ELSE channel[i][j]]]
        /\ UNCHANGED <<committed, lost>>

Followers(l) == {s \in Server : state[s] = "following" /\ current[s] = current[l]}

Propose(l) ==
    /\ state[l] = "leading"
    /\ Len(hist[l]) < MaxTxn
    /\ LET txn == [epoch |-> current[l], count |-> Len(hist[l]) + 1]
       IN  /\ hist' = [hist EXCEPT ![l] = Append(@, txn)]
           /\ acks' = [acks EXCEPT ![l][Len(hist[l]) + 1] = {l}]
           /\ channel' = [channel EXCEPT ![l] = [s \in Server |-> IF s \in Followers(l)
                            THEN Append(channel[l][s], [type |-> "propose", txn |-> txn]) ELSE channel[l][s]]]
    /\ UNCHANGED <<epoch, current, state, committed, lost>>

Commit(l) ==
    /\ state[l] = "leading"
    /\ LET n == committed[l] + 1
       IN  /\ n <= Len(hist[l])
           /\ IF Bug = "hasty" THEN acks[l][n] # {} ELSE acks[l][n] \in Quorum
           /\ committed' = [committed EXCEPT ![l] = n]
           /\ channel' = [channel EXCEPT ![l] = [s \in Server |-> IF s \in Followers(l)
                            THEN Append(channel[l][s], [type |-> "commit", count |-> n]) ELSE channel[l][s]]]
    /\ UNCHANGED <<epoch, current, state, hist, acks, lost>>

Deliver(s, l) ==
    /\ channel[l][s] # <<>>
    /\ LET m == Head(channel[l][s])
           rest == [channel EXCEPT ![l][s] = Tail(@)]
       IN  CASE m.type = "propose" ->
                  /\ state[s] = "following"
                  /\ hist' = [hist EXCEPT ![s] = Append(@, m.txn)]
                  /\ channel' = [rest EXCEPT ![s][l] = Append(@, [type |-> "ack", count |-> m.txn.count])]
                  /\ UNCHANGED <<committed, acks>>
             [] m.type = "commit" ->
                  /\ committed' = [committed EXCEPT ![s] = IF m.count > @ THEN m.count ELSE @]
                  /\ channel' = rest
                  /\ UNCHANGED <<hist, acks>>
             [] m.type = "ack" ->
                  /\ acks' = [acks EXCEPT ![s][m.count] = @ \cup {l}]
                  /\ channel' = rest
                  /\ UNCHANGED <<hist, committed>>
    /\ UNCHANGED <<epoch, current, state, lost>>

\* Whoever loses its connection looks for a leader again; what was under way is lost.
Disconnect(s) ==
    /\ state[s] # "looking"
    /\ lost < MaxDisconnects
    /\ lost' = lost + 1
    /\ state' = [state EXCEPT ![s] = "looking"]
    /\ channel' = [i \in Server |-> [j \in Server |-> IF s \in {i, j} THEN <<>> ELSE channel[i][j]]]
    /\ UNCHANGED <<epoch, current, hist, committed, acks>>

Next ==
    \/ \E l \in Server : Propose(l) \/ Commit(l) \/ Disconnect(l)
    \/ \E l \in Server, Q \in Quorum : Establish(l, Q)
    \/ \E s, l \in Server : Deliver(s, l)

Spec == Init /\ [][Next]_vars

CommittedIsThere == \A s \in Server : committed[s] <= Len(hist[s])
Prefixes ==
    \A i, j \in Server :
        LET a == SubSeq(hist[i], 1, committed[i])
            b == SubSeq(hist[j], 1, committed[j])
        IN  IsPrefix(a, b) \/ IsPrefix(b, a)
=============================================================================
