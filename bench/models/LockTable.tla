------------------------------ MODULE LockTable -----------------------------
(* Clients lock resources: requests travel as messages, wait in one queue    *)
(* for each resource, and are granted in order, one at a time or together    *)
(* when they only read. Neither clients nor resources have names that        *)
(* matter: the symmetry is over two sets.                                    *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS Client, Resource, MaxWanted

VARIABLES
    want,     \* want[c]: the resources that c has asked for, and how
    queue,    \* queue[r]: who waits for r, in order
    holder,   \* holder[r]: who holds r, and how
    msgs      \* grants that have not arrived

vars == <<want, queue, holder, msgs>>

Mode == {"read", "write"}

Init ==
    /\ want = [c \in Client |-> {}]
    /\ queue = [r \in Resource |-> <<>>]
    /\ holder = [r \in Resource |-> {}]
    /\ msgs = {}

Wanted(c) == {w.res : w \in want[c]}

Ask(c, r, m) ==
    /\ r \notin Wanted(c)
    /\ Cardinality(want[c]) < MaxWanted
    /\ want' = [want EXCEPT ![c] = @ \cup {[res |-> r, mode |-> m, held |-> FALSE]}]
    /\ queue' = [queue EXCEPT ![r] = Append(@, [by |-> c, mode |-> m])]
    /\ UNCHANGED <<holder, msgs>>

Compatible(r, m) == holder[r] = {} \/ (m = "read" /\ \A h \in holder[r] : h.mode = "read")

Grant(r) ==
    /\ queue[r] # <<>>
    /\ LET first == Head(queue[r])
       IN  /\ Compatible(r, first.mode)
           /\ holder' = [holder EXCEPT ![r] = @ \cup {first}]
           /\ queue' = [queue EXCEPT ![r] = Tail(@)]
           /\ msgs' = msgs \cup {[to |-> first.by, res |-> r]}
    /\ UNCHANGED want

Learn(c) ==
    \E m \in msgs :
        /\ m.to = c
        /\ want' = [want EXCEPT ![c] = {IF w.res = m.res THEN [w EXCEPT !.held = TRUE] ELSE w : w \in @}]
        /\ msgs' = msgs \ {m}
        /\ UNCHANGED <<queue, holder>>

Release(c) ==
    \E w \in want[c] :
        /\ w.held
        /\ want' = [want EXCEPT ![c] = @ \ {w}]
        /\ holder' = [holder EXCEPT ![w.res] = {h \in @ : h.by # c}]
        /\ UNCHANGED <<queue, msgs>>

Next ==
    \/ \E c \in Client : Learn(c) \/ Release(c) \/ \E r \in Resource, m \in Mode : Ask(c, r, m)
    \/ \E r \in Resource : Grant(r)

Spec == Init /\ [][Next]_vars

Symmetry == Permutations(Client) \cup Permutations(Resource)

OneWriter ==
    \A r \in Resource : \A h \in holder[r] : h.mode = "write" => Cardinality(holder[r]) = 1
HeldIsGranted ==
    \A c \in Client : \A w \in want[c] : w.held => [by |-> c, mode |-> w.mode] \in holder[w.res]
WaitingOnce ==
    \A r \in Resource : \A i, j \in 1..Len(queue[r]) : queue[r][i].by = queue[r][j].by => i = j
NotBoth ==
    \A r \in Resource : \A i \in 1..Len(queue[r]) : \A h \in holder[r] : h.by # queue[r][i].by
=============================================================================
