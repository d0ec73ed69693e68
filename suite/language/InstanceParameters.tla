------------------------- MODULE InstanceParameters -------------------------
(* Instances with parameters: I(n)!Op. The parameter may be bound by a       *)
(* quantifier, and instances may be used through other instances.            *)
EXTENDS Naturals

VARIABLES ticks, on

Node == 1..2

Cell(n) == INSTANCE LampParts WITH lit <- on, who <- n, time <- ticks
\* Through a module that itself makes an instance.
Pair == INSTANCE LampPair WITH lit <- on, time <- ticks

ASSUME Cell(7)!name = 7
ASSUME Pair!First!name = 1 /\ Pair!Second(2)!name = 2
ASSUME \A n \in Node : Cell(n)!Same(n)

Init == ticks = 0 /\ on = {}
Next == \E n \in Node : Cell(n)!Switch
AllFine == \A n \in Node : Cell(n)!Fine
PairFine == Pair!BothFine /\ (Pair!First!Lit <=> 1 \in on) /\ (Pair!Second(2)!Lit <=> 2 \in on)
=============================================================================
