----------------------------- MODULE ZabRecords -----------------------------
(* A protocol in the manner of Zab, as specifications of real systems are    *)
(* written: one record with nested records for each server, one queue of     *)
(* records for each ordered pair of servers, and ten invariants over them.   *)
(* A leader collects the histories of a quorum, brings the quorum to its own *)
(* one, then proposes, takes acknowledgements and commits.                   *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Server, MaxEpoch, MaxTxn, MaxQueue, None

VARIABLES
    node,    \* node[s]: what server s knows, a record
    net      \* net[s][t]: what s has sent to t, in order

vars == <<node, net>>

Quorum == {Q \in SUBSET Server : 2 * Cardinality(Q) > Cardinality(Server)}
Zero == [epoch |-> 0, count |-> 0]
LastId(h) == IF h = <<>> THEN Zero ELSE h[Len(h)].id
Less(a, b) == a.epoch < b.epoch \/ (a.epoch = b.epoch /\ a.count < b.count)
IsPrefix(s, t) == Len(s) <= Len(t) /\ SubSeq(t, 1, Len(s)) = s

Fresh == [joined |-> {}, synced |-> {}, acked |-> [n \in 1..MaxTxn |-> {}]]

Init ==
    /\ node = [s \in Server |->
                [phase |-> "looking", leader |-> None, epoch |-> [promised |-> 0, current |-> 0],
                 log |-> [entries |-> <<>>, committed |-> 0], lead |-> Fresh]]
    /\ net = [s \in Server |-> [t \in Server |-> <<>>]]

Room(s, t) == Len(net[s][t]) < MaxQueue
Put(n, s, t, m) == [n EXCEPT ![s][t] = Append(@, m)]
Take(n, s, t) == [n EXCEPT ![s][t] = Tail(@)]
Cut(n, s) == [t \in Server |-> [u \in Server |-> IF s \in {t, u} THEN <<>> ELSE n[t][u]]]
Committed(s) == SubSeq(node[s].log.entries, 1, node[s].log.committed)

\* An oracle tells whom to follow; the follower says what it has.
Follow(s, l) ==
    /\ s # l
    /\ node[s].phase = "looking"
    /\ node[l].phase = "discovering"
    /\ node[l].epoch.promised > node[s].epoch.promised
    /\ Room(s, l)
    /\ node' = [node EXCEPT ![s].phase = "following", ![s].leader = l,
                            ![s].epoch.promised = node[l].epoch.promised]
    /\ net' = Put(net, s, l, [type |-> "join", from |-> [epoch |-> node[s].epoch.current,
                                                        last |-> LastId(node[s].log.entries)]])

Stand(l) ==
    /\ node[l].phase = "looking"
    /\ node[l].epoch.promised < MaxEpoch
    /\ node' = [node EXCEPT ![l].phase = "discovering", ![l].leader = l,
                            ![l].epoch.promised = 1 + @,
                            ![l].lead = [Fresh EXCEPT !.joined = {l}]]
    /\ UNCHANGED net

\* A follower that knows more than the leader sends it looking again.
TakeJoin(l, s, m) ==
    /\ m.type = "join"
    /\ IF node[l].phase # "discovering"
         THEN UNCHANGED node
       ELSE IF \/ m.from.epoch > node[l].epoch.current
               \/ Less(LastId(node[l].log.entries), m.from.last)
         THEN node' = [node EXCEPT ![l].phase = "looking", ![l].leader = None, ![l].lead = Fresh]
         ELSE node' = [node EXCEPT ![l].lead.joined = @ \cup {s}]
    /\ net' = Take(net, s, l)

Establish(l) ==
    LET Q == node[l].lead.joined
    IN  /\ node[l].phase = "discovering"
        /\ Q \in Quorum
        /\ \A s \in Q \ {l} : Room(l, s)
        /\ node' = [node EXCEPT ![l].phase = "syncing", ![l].epoch.current = node[l].epoch.promised,
                                ![l].lead.synced = {l}]
        /\ net' = [net EXCEPT ![l] = [s \in Server |->
                     IF s \in Q \ {l}
                     THEN Append(net[l][s], [type |-> "sync", epoch |-> node[l].epoch.promised,
                                             log |-> node[l].log])
                     ELSE net[l][s]]]

TakeSync(s, l, m) ==
    /\ m.type = "sync"
    /\ Room(s, l)
    /\ IF node[s].phase = "following" /\ node[s].leader = l /\ node[s].epoch.promised = m.epoch
       THEN /\ node' = [node EXCEPT ![s].epoch.current = m.epoch, ![s].log = m.log]
            /\ net' = Put(Take(net, l, s), s, l, [type |-> "synced", epoch |-> m.epoch])
       ELSE /\ UNCHANGED node
            /\ net' = Take(net, l, s)

\* Whoever is late stays without a part in this epoch.
TakeSynced(l, s, m) ==
    /\ m.type = "synced"
    /\ LET now == node[l].lead.synced \cup {s}
           done == now \in Quorum
           old == 1..Len(node[l].log.entries)
       IN  node' = IF node[l].phase = "syncing" /\ node[l].epoch.current = m.epoch
                   THEN [node EXCEPT ![l].lead.synced = now,
                                     ![l].phase = IF done THEN "leading" ELSE @,
                                     ![l].lead.acked = [n \in 1..MaxTxn |-> IF n \in old THEN @[n] \cup now ELSE {}]]
                   ELSE node
    /\ net' = Take(net, s, l)

Propose(l) ==
    /\ node[l].phase = "leading"
    /\ Len(node[l].log.entries) < MaxTxn
    /\ LET count == Len(node[l].log.entries) + 1
           txn == [id |-> [epoch |-> node[l].epoch.current, count |-> count], by |-> l]
           followers == node[l].lead.synced \ {l}
       IN  /\ \A s \in followers : Room(l, s)
           /\ node' = [node EXCEPT ![l].log.entries = Append(@, txn), ![l].lead.acked[count] = {l}]
           /\ net' = [net EXCEPT ![l] = [s \in Server |->
                        IF s \in followers THEN Append(net[l][s], [type |-> "propose", txn |-> txn]) ELSE net[l][s]]]

TakeProposal(s, l, m) ==
    /\ m.type = "propose"
    /\ Room(s, l)
    /\ IF node[s].leader = l /\ node[s].phase = "following" /\ m.txn.id.epoch = node[s].epoch.current
       THEN /\ node' = [node EXCEPT ![s].log.entries = Append(@, m.txn)]
            /\ net' = Put(Take(net, l, s), s, l, [type |-> "ack", id |-> m.txn.id])
       ELSE /\ UNCHANGED node
            /\ net' = Take(net, l, s)

TakeAck(l, s, m) ==
    /\ m.type = "ack"
    /\ node' = IF node[l].phase = "leading" /\ node[l].epoch.current = m.id.epoch
               THEN [node EXCEPT ![l].lead.acked[m.id.count] = @ \cup {s}]
               ELSE node
    /\ net' = Take(net, s, l)

Commit(l) ==
    LET n == node[l].log.committed + 1
        followers == node[l].lead.synced \ {l}
    IN  /\ node[l].phase = "leading"
        /\ n <= Len(node[l].log.entries)
        /\ node[l].lead.acked[n] \in Quorum
        /\ \A s \in followers : Room(l, s)
        /\ node' = [node EXCEPT ![l].log.committed = n]
        /\ net' = [net EXCEPT ![l] = [s \in Server |->
                     IF s \in followers
                     THEN Append(net[l][s], [type |-> "commit", id |-> node[l].log.entries[n].id])
                     ELSE net[l][s]]]

TakeCommit(s, l, m) ==
    /\ m.type = "commit"
    /\ node' = IF /\ node[s].leader = l
                  /\ node[s].phase = "following"
                  /\ m.id.count <= Len(node[s].log.entries)
                  /\ node[s].log.entries[m.id.count].id = m.id
                  /\ m.id.count > node[s].log.committed
               THEN [node EXCEPT ![s].log.committed = m.id.count]
               ELSE node
    /\ net' = Take(net, l, s)

Receive(s, t) ==
    /\ net[t][s] # <<>>
    /\ LET m == Head(net[t][s])
       IN  \/ TakeJoin(s, t, m) \/ TakeSync(s, t, m) \/ TakeSynced(s, t, m)
           \/ TakeProposal(s, t, m) \/ TakeAck(s, t, m) \/ TakeCommit(s, t, m)

\* Connections break with what is in them.
Lose(s) ==
    /\ node[s].phase # "looking"
    /\ node' = [node EXCEPT ![s].phase = "looking", ![s].leader = None, ![s].lead = Fresh]
    /\ net' = Cut(net, s)

Next ==
    \/ \E s \in Server : Stand(s) \/ Establish(s) \/ Propose(s) \/ Commit(s) \/ Lose(s)
    \/ \E s, t \in Server : Follow(s, t) \/ Receive(s, t)

Spec == Init /\ [][Next]_vars

OneLeaderPerEpoch ==
    \A s, t \in Server :
        /\ node[s].phase = "leading"
        /\ node[t].phase = "leading"
        /\ node[s].epoch.current = node[t].epoch.current
        => s = t
CommittedPrefixes ==
    \A s, t \in Server : IsPrefix(Committed(s), Committed(t)) \/ IsPrefix(Committed(t), Committed(s))
CommittedIsThere == \A s \in Server : node[s].log.committed <= Len(node[s].log.entries)
EpochsInOrder == \A s \in Server : node[s].epoch.current <= node[s].epoch.promised
CountsInOrder ==
    \A s \in Server : \A n \in 1..Len(node[s].log.entries) : node[s].log.entries[n].id.count = n
EntriesInOrder ==
    \A s \in Server : \A n \in 1..(Len(node[s].log.entries) - 1) :
        Less(node[s].log.entries[n].id, node[s].log.entries[n + 1].id)
OneTxnPerId ==
    \A s, t \in Server : \A n \in 1..Len(node[s].log.entries) : \A k \in 1..Len(node[t].log.entries) :
        node[s].log.entries[n].id = node[t].log.entries[k].id => node[s].log.entries[n] = node[t].log.entries[k]
QueuesBounded == \A s, t \in Server : Len(net[s][t]) <= MaxQueue /\ (s = t => net[s][t] = <<>>)
AcksAreTrue ==
    \A l \in Server : node[l].phase = "leading" =>
        \A n \in 1..Len(node[l].log.entries) : \A s \in node[l].lead.acked[n] :
            node[s].epoch.promised > node[l].epoch.current
            \/ (n <= Len(node[s].log.entries) /\ node[s].log.entries[n] = node[l].log.entries[n])
ProposalsFollow ==
    \A l, s \in Server : \A n \in 1..Len(net[l][s]) :
        net[l][s][n].type = "propose" /\ node[s].leader = l
        => /\ net[l][s][n].txn.by \in Server
           /\ net[l][s][n].txn.id.epoch <= node[l].epoch.current
           /\ \A k \in 1..(n - 1) :
                net[l][s][k].type = "propose" => Less(net[l][s][k].txn.id, net[l][s][n].txn.id)
=============================================================================
