--------------------------- MODULE NeverAnswered ----------------------------
(* A mutant of ../protocols/KeyValueStore.tla. A client waits on when it has *)
(* its answer: `\` became `\cup`.                                            *)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS Client, Key, MaxVersion, None

VARIABLES
    table,     \* table[k]: a value with its version
    queue,     \* requests on their way
    known,     \* known[c][k]: the version that c has seen last
    pending,   \* clients that wait for an answer
    history    \* what was answered, in order

vars == <<table, queue, known, pending, history>>

Request ==
    [op : {"get"}, by : Client, key : Key]
    \cup [op : {"put"}, by : Client, key : Key, old : 0..MaxVersion]

TypeOK ==
    /\ table \in [Key -> [version : 0..MaxVersion, writer : Client \cup {None}]]
    /\ \A i \in 1..Len(queue) : queue[i] \in Request
    /\ known \in [Client -> [Key -> 0..MaxVersion]]

Init ==
    /\ table = [k \in Key |-> [version |-> 0, writer |-> None]]
    /\ queue = <<>>
    /\ known = [c \in Client |-> [k \in Key |-> 0]]
    /\ pending = {}
    /\ history = <<>>

Get(c, k) ==
    /\ c \notin pending
    /\ queue' = Append(queue, [op |-> "get", by |-> c, key |-> k])
    /\ pending' = pending \cup {c}
    /\ UNCHANGED <<table, known, history>>

Put(c, k) ==
    /\ c \notin pending
    /\ queue' = Append(queue, [op |-> "put", by |-> c, key |-> k, old |-> known[c][k]])
    /\ pending' = pending \cup {c}
    /\ UNCHANGED <<table, known, history>>

Serve ==
    /\ queue # <<>>
    /\ LET r == Head(queue)
           t == table[r.key]
           fits == r.op = "put" /\ r.old = t.version /\ t.version < MaxVersion
       IN  /\ table' = IF fits THEN [table EXCEPT ![r.key] = [version |-> @.version + 1, writer |-> r.by]] ELSE table
           /\ known' = [known EXCEPT ![r.by][r.key] = table'[r.key].version]
           /\ pending' = pending \cup {r.by}
           /\ history' = IF fits THEN Append(history, [key |-> r.key, version |-> t.version + 1, by |-> r.by]) ELSE history
    /\ queue' = Tail(queue)

Next == Serve \/ \E c \in Client, k \in Key : Get(c, k) \/ Put(c, k)
Spec == Init /\ [][Next]_vars

VersionsInOrder ==
    \A i, j \in 1..Len(history) : i < j /\ history[i].key = history[j].key => history[i].version < history[j].version
TableIsHistory ==
    \A k \in Key :
        LET writes == SelectSeq(history, LAMBDA h : h.key = k)
        IN  /\ table[k].version = Len(writes)
            /\ table[k].writer = IF writes = <<>> THEN None ELSE writes[Len(writes)].by
KnownIsOld == \A c \in Client, k \in Key : known[c][k] <= table[k].version
OneRequestEach == Cardinality(pending) = Len(queue)
=============================================================================
