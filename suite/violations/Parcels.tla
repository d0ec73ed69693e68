------------------------------- MODULE Parcels -------------------------------
(* Every kind of value that JSON has no word for: sets beside sequences, model values beside strings, functions beside
   records, and all of them empty at first. *)
EXTENDS Naturals, Sequences
CONSTANTS Node, Nobody
VARIABLES holder, sent, queue, seen, table, pairs, note

vars == <<holder, sent, queue, seen, table, pairs, note>>

Init ==
    /\ holder = Nobody
    /\ sent = {}
    /\ queue = <<>>
    /\ seen = [n \in Node |-> {}]
    /\ table = [i \in 0..2 |-> FALSE]
    /\ pairs = {<<1, {}>>}
    /\ note = [text |-> "holder", last |-> Nobody, count |-> 0]

Send(n, m) ==
    /\ n # m
    /\ Len(queue) < 2
    /\ sent' = sent \cup {[from |-> n, to |-> m, hop |-> Len(queue)]}
    /\ queue' = Append(queue, n)
    /\ holder' = n
    /\ note' = [note EXCEPT !.last = m, !.count = @ + 1]
    /\ UNCHANGED <<seen, table, pairs>>

Take(m) ==
    /\ \E p \in sent :
        /\ p.to = m
        /\ p.hop \notin seen[m]
        /\ seen' = [seen EXCEPT ![m] = @ \cup {p.hop}]
        /\ table' = [table EXCEPT ![p.hop] = TRUE]
        /\ pairs' = pairs \cup {<<p.hop, {p.from}>>}
    /\ holder' = m
    /\ UNCHANGED <<sent, queue, note>>

Next == (\E n, m \in Node : Send(n, m)) \/ (\E m \in Node : Take(m))

Spec == Init /\ [][Next]_vars

NeverBoth == ~(table[0] /\ table[1])
==============================================================================
