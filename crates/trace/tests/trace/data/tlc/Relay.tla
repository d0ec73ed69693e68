---- MODULE Relay ----
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS a, b
VARIABLES log, msgs, mode, inbox
Node == {a, b}
Init ==
  /\ log = [n \in Node |-> <<>>]
  /\ msgs = {}
  /\ mode = [n \in Node |-> "idle"]
  /\ inbox = <<>>
Send(n, m) ==
  /\ n # m
  /\ Cardinality(msgs) < 2
  /\ msgs' = msgs \cup {[kind |-> "offer", from |-> n, to |-> m, round |-> Cardinality(msgs), route |-> [h \in {<<1, 2>>, <<2, 1>>} |-> "over the northern line"]]}
  /\ mode' = [mode EXCEPT ![n] = "waits \"here\"\t"]
  /\ UNCHANGED <<log, inbox>>
Deliver(n) ==
  \E m \in msgs :
    /\ m.to = n
    /\ log' = [log EXCEPT ![n] = Append(@, [round |-> m.round, ok |-> TRUE])]
    /\ inbox' = Append(inbox, n)
    /\ msgs' = msgs \ {m}
    /\ UNCHANGED mode
Next == (\E n, m \in Node : Send(n, m)) \/ (\E n \in Node : Deliver(n))
AtMostOne == \A n \in Node : Len(log[n]) <= 1
====
