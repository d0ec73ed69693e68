---- MODULE CompiledFacts ----
\* What a test establishes holds where the test was true, and nowhere else: names are bound anew in loops, and the same test
\* may be true on one way and false on another. Records are put together of fields that are known before the run.
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS a, b, None

Nodes == {a, b}

VARIABLES inbox, role, seen, info

vars == <<inbox, role, seen, info>>

Message == [type : {"ask"}, to : Nodes, n : 0..1] \cup [type : {"tell"}, to : Nodes, ok : BOOLEAN]

Init == /\ inbox = {}
        /\ role = [i \in Nodes |-> "idle"]
        /\ seen = << >>
        /\ info = [n |-> 0, m |-> 0, pc |-> <<"Init">>, last |-> None]

\* The fields on the left win; the two sides of the IF have the same fields, those of `Both` do not.
Count(field) == (field :> IF info[field] < 2 THEN info[field] + 1 ELSE info[field])
Last(m) == IF m.type = "ask" THEN "last" :> m.to ELSE "last" :> None
Both(c) == IF c THEN Count("n") ELSE Count("n") @@ Count("m")
Note(c, m, pc) == info' = Both(c) @@ ("pc" :> pc) @@ Last(m) @@ info

Label(pc) == CASE pc[1] = "Ask" -> "asked"
               [] pc[1] = "Tell" -> "told"
               [] OTHER -> "other"

Ask(m, pc) ==
    /\ role' = [role EXCEPT ![m.to] = IF role[m.to] = "idle" THEN "busy" ELSE "idle"]
    /\ inbox' = (inbox \ {m}) \cup {[type |-> "tell", to |-> m.to, ok |-> role'[m.to] = "busy"]}
    /\ seen' = IF Len(seen) < 2 THEN Append(seen, Label(pc)) ELSE seen
    /\ Note(m.n = 0, m, pc)

Tell(m, pc) ==
    /\ inbox' = inbox \ {m}
    /\ role' = IF m.ok THEN role ELSE [role EXCEPT ![m.to] = "idle"]
    /\ seen' = IF Len(seen) < 2 THEN Append(seen, Label(pc)) ELSE seen
    /\ Note(m.ok, m, pc)

Receive(m) ==
    LET t == m.type
    IN CASE t = "ask" -> Ask(m, <<"Ask", m.to, m.n>>)
         [] t = "tell" -> Tell(m, <<"Tell", m.to>>)
         [] OTHER -> Assert(FALSE, "no such type")

ReceiveAsk == \E m \in inbox : m.type = "ask" /\ Receive(m)
ReceiveTell == \E m \in inbox : m.type = "tell" /\ Receive(m)

\* Two names for messages: what is known about the one says nothing about the other.
Pairs == \E m \in inbox : \E k \in inbox :
            /\ m.type = "ask"
            /\ m # k
            /\ IF k.type = "ask" THEN k.n # m.n ELSE k.ok
            /\ inbox' = inbox \ {m, k}
            /\ UNCHANGED <<role, seen>>
            /\ info' = [info EXCEPT !.last = k.to, !.m = IF k.type = m.type THEN 0 ELSE @]

Send == \E i \in Nodes, n \in 0..1 :
            /\ Cardinality(inbox) < 2
            /\ role[i] = "idle" \/ n = 0
            /\ inbox' = inbox \cup {[type |-> "ask", to |-> i, n |-> n]}
            /\ UNCHANGED <<role, seen>>
            /\ info' = [info EXCEPT !.pc = <<"Send", i>>, !.n = 0]

Next == ReceiveAsk \/ ReceiveTell \/ Pairs \/ Send

Spec == Init /\ [][Next]_vars

\* The same test in a loop: for one node it is true, for the other it may not be.
Roles == \A i \in Nodes : IF role[i] = "busy"
                          THEN \A j \in Nodes : (j = i => role[j] = "busy") /\ (role[j] = "idle" => j # i)
                          ELSE role[i] = "idle"
Messages == \A m \in inbox : CASE m.type = "ask" -> m.n \in {0, 1}
                               [] m.type = "tell" -> m.ok \in BOOLEAN
Information == /\ info.n \in 0..2
               /\ info.m <= 2
               /\ (info.last = None) \/ (info.last \in Nodes)
               /\ info.pc[1] \in {"Init", "Ask", "Tell", "Send"}
               /\ DOMAIN info = {"n", "m", "pc", "last"}
====
