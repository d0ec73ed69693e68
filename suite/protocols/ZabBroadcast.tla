----------------------------- MODULE ZabBroadcast ---------------------------
(* Ordered broadcast in epochs, in the manner of Zab: a new leader collects  *)
(* the histories of a quorum, takes the most recent one for its own, brings  *)
(* the quorum to it, and then proposes, in order, over FIFO channels.        *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Server, MaxEpoch, MaxTxn, MaxChannel

VARIABLES
    epoch,      \* the last epoch that a server has promised
    current,    \* the epoch of the leader it follows
    state,      \* "looking", "syncing", "leading" or "following"
    hist,       \* transactions [epoch, count], in order
    committed,  \* how many of them are committed
    acks,       \* acks[l][n]: who has acknowledged entry n of leader l
    channel     \* channel[i][j]

vars == <<epoch, current, state, hist, committed, acks, channel>>

Quorum == {Q \in SUBSET Server : 2 * Cardinality(Q) > Cardinality(Server)}
IsPrefix(s, t) == Len(s) <= Len(t) /\ \A i \in 1..Len(s) : s[i] = t[i]
Less(a, b) == a.epoch < b.epoch \/ (a.epoch = b.epoch /\ a.count < b.count)
Zero == [epoch |-> 0, count |-> 0]
LastOf(h) == IF h = <<>> THEN Zero ELSE h[Len(h)]
Empty == [n \in 1..MaxTxn |-> {}]

Init ==
    /\ epoch = [s \in Server |-> 0]
    /\ current = [s \in Server |-> 0]
    /\ state = [s \in Server |-> "looking"]
    /\ hist = [s \in Server |-> <<>>]
    /\ committed = [s \in Server |-> 0]
    /\ acks = [s \in Server |-> Empty]
    /\ channel = [i \in Server |-> [j \in Server |-> <<>>]]

\* Discovery and synchronisation in one step: l has seen the state of a quorum, no
\* member of it has promised a later epoch, and nobody there knows more than l.
Establish(l, Q) ==
    LET e == 1 + (CHOOSE m \in {epoch[s] : s \in Q} : \A s \in Q : epoch[s] <= m)
    IN  /\ l \in Q
        /\ state[l] = "looking"
        /\ e <= MaxEpoch
        /\ \A s \in Q : ~Less(LastOf(hist[l]), LastOf(hist[s]))
        /\ epoch' = [s \in Server |-> IF s \in Q THEN e ELSE epoch[s]]
        /\ current' = [s \in Server |-> IF s \in Q THEN e ELSE current[s]]
        /\ state' = [s \in Server |-> IF s = l THEN "leading" ELSE IF s \in Q THEN "following" ELSE state[s]]
        /\ hist' = [s \in Server |-> IF s \in Q THEN hist[l] ELSE hist[s]]
        /\ acks' = [acks EXCEPT ![l] = [n \in 1..MaxTxn |-> IF n <= Len(hist[l]) THEN Q ELSE {}]]
        /\ channel' = [i \in Server |-> [j \in Server |-> IF i \in Q \/ j \in Q THEN <<>> ELSE channel[i][j]]]
        /\ UNCHANGED committed

Propose(l) ==
    /\ state[l] = "leading"
    /\ Len(hist[l]) < MaxTxn
    /\ LET txn == [epoch |-> current[l], count |-> Len(hist[l]) + 1]
           followers == {s \in Server : state[s] = "following" /\ current[s] = current[l]}
       IN  /\ \A s \in followers : Len(channel[l][s]) < MaxChannel
           /\ hist' = [hist EXCEPT ![l] = Append(@, txn)]
           /\ acks' = [acks EXCEPT ![l][Len(hist[l]) + 1] = {l}]
           /\ channel' = [channel EXCEPT ![l] = [s \in Server |-> IF s \in followers
                            THEN Append(channel[l][s], [type |-> "propose", txn |-> txn]) ELSE channel[l][s]]]
    /\ UNCHANGED <<epoch, current, state, committed>>

Commit(l) ==
    /\ state[l] = "leading"
    /\ LET n == committed[l] + 1
       IN  /\ n <= Len(hist[l])
           /\ acks[l][n] \in Quorum
           /\ committed' = [committed EXCEPT ![l] = n]
           /\ channel' = [channel EXCEPT ![l] = [s \in Server |->
                            IF state[s] = "following" /\ current[s] = current[l] /\ Len(channel[l][s]) < MaxChannel
                            THEN Append(channel[l][s], [type |-> "commit", count |-> n]) ELSE channel[l][s]]]
    /\ UNCHANGED <<epoch, current, state, hist, acks>>

Deliver(s, l) ==
    /\ channel[l][s] # <<>>
    /\ LET m == Head(channel[l][s])
           rest == [channel EXCEPT ![l][s] = Tail(@)]
       IN  CASE m.type = "propose" ->
                  /\ state[s] = "following"
                  /\ Len(channel[s][l]) < MaxChannel
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
    /\ UNCHANGED <<epoch, current, state>>

\* Whoever loses its connection looks for a leader again; what was under way is lost.
Disconnect(s) ==
    /\ state[s] # "looking"
    /\ state' = [state EXCEPT ![s] = "looking"]
    /\ channel' = [i \in Server |-> [j \in Server |-> IF s \in {i, j} THEN <<>> ELSE channel[i][j]]]
    /\ UNCHANGED <<epoch, current, hist, committed, acks>>

Next ==
    \/ \E l \in Server : Propose(l) \/ Commit(l) \/ Disconnect(l)
    \/ \E l \in Server, Q \in Quorum : Establish(l, Q)
    \/ \E s, l \in Server : Deliver(s, l)
Spec == Init /\ [][Next]_vars

Prefixes ==
    \A i, j \in Server :
        LET a == SubSeq(hist[i], 1, committed[i])
            b == SubSeq(hist[j], 1, committed[j])
        IN  IsPrefix(a, b) \/ IsPrefix(b, a)
CommittedIsThere == \A s \in Server : committed[s] <= Len(hist[s])
OneLeaderPerEpoch ==
    \A i, j \in Server : state[i] = "leading" /\ state[j] = "leading" /\ current[i] = current[j] => i = j
=============================================================================
