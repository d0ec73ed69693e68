--------------------------- MODULE WrongComponent ---------------------------
(* A mutant of ../protocols/CausalMessages.tla. Clocks are merged component  *)
(* by wrong component: `q` became `p`.                                       *)
EXTENDS Naturals, FiniteSets

CONSTANTS N, MaxEvents

Proc == 1..N

VARIABLES
    clock,    \* clock[p]: the vector of p
    count,    \* how many events p has had
    past,     \* past[p]: the events that p knows of, as pairs
    net,      \* messages under way
    events    \* all events with their clocks and their pasts

vars == <<clock, count, past, net, events>>

Max(a, b) == IF a < b THEN b ELSE a
Total == Cardinality(events)

Init ==
    /\ clock = [p \in Proc |-> [q \in Proc |-> 0]]
    /\ count = [p \in Proc |-> 0]
    /\ past = [p \in Proc |-> {}]
    /\ net = {}
    /\ events = {}

\* One event of p, after it has heard of the clock c and the past h.
Happens(p, c, h) ==
    LET id == <<p, count[p] + 1>>
        merged == [q \in Proc |-> IF q = p THEN Max(clock[p][p], c[p]) + 1 ELSE Max(clock[p][q], c[p])]
    IN  /\ Total < MaxEvents
        /\ count' = [count EXCEPT ![p] = @ + 1]
        /\ clock' = [clock EXCEPT ![p] = merged]
        /\ past' = [past EXCEPT ![p] = @ \cup h \cup {id}]
        /\ events' = events \cup {[id |-> id, clock |-> merged, past |-> past'[p]]}

Local(p) == Happens(p, clock[p], {}) /\ UNCHANGED net
Send(p, q) ==
    /\ p # q
    /\ Happens(p, clock[p], {})
    /\ net' = net \cup {[to |-> q, clock |-> clock'[p], past |-> past'[p]]}
Receive(p) ==
    \E m \in net :
        /\ m.to = p
        /\ Happens(p, m.clock, m.past)
        /\ net' = net \ {m}

Next == \E p \in Proc : Local(p) \/ Receive(p) \/ \E q \in Proc : Send(p, q)
Spec == Init /\ [][Next]_vars

LessEq(c, d) == \A q \in Proc : c[q] <= d[q]
ClocksAreCausal ==
    \A e, f \in events : LessEq(e.clock, f.clock) <=> e.id \in f.past
=============================================================================
