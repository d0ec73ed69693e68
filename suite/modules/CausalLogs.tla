----------------------------- MODULE CausalLogs -----------------------------
(* VectorClocks: logs that respect their clocks, and a log put in order.     *)
EXTENDS Naturals, Sequences, VectorClocks, TLC

VARIABLES clock, log

Node == 1..2
E(n, c) == [node |-> n, vc |-> c]
Good == <<E(1, <<1, 0>>), E(2, <<1, 1>>), E(1, <<2, 0>>)>>
Bad == <<E(2, <<1, 1>>), E(1, <<1, 0>>)>>
ClockOf(e) == e.vc
ASSUME IsCausalOrder(Good, ClockOf)
ASSUME ~IsCausalOrder(Bad, ClockOf)
ASSUME IsCausalOrder(<<>>, ClockOf)
ASSUME CausalOrder(Bad, ClockOf, LAMBDA e : e.node, LAMBDA c : DOMAIN c) = <<Bad[2], Bad[1]>>

Init == clock = [n \in Node |-> <<0, 0>>] /\ log = <<>>
Happens(n, seen) ==
    LET c == [clock[n] EXCEPT ![n] = @ + 1]
        merged == [m \in Node |-> IF seen[m] > c[m] THEN seen[m] ELSE c[m]]
    IN  /\ Len(log) < 4
        /\ clock' = [clock EXCEPT ![n] = merged]
        /\ log' = Append(log, E(n, merged))
Next == \E n \in Node : Happens(n, <<0, 0>>) \/ \E i \in 1..Len(log) : log[i].node # n /\ Happens(n, log[i].vc)
Ordered == IsCausalOrder(log, ClockOf)
=============================================================================
