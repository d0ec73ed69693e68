---- MODULE SymmetryHiddenByView ----
\* A view that leaves out what decides which permutation of a state is the least: states are one when permutations of them have the
\* same view, while TLC takes the view of the least permutation and keeps more.
EXTENDS Naturals, FiniteSets, Sequences, TLC
CONSTANTS Node, None
VARIABLES owner, messages, sent
Perms == Permutations(Node)
Init == owner = [n \in Node |-> None] /\ messages = {} /\ sent = 0
Send(a, b) == /\ a # b /\ Cardinality(messages) < 2 /\ sent < 4
              /\ messages' = messages \cup {<<a, b>>} /\ sent' = sent + 1 /\ UNCHANGED owner
Receive(m) == owner' = [owner EXCEPT ![m[2]] = m[1]] /\ messages' = messages \ {m} /\ UNCHANGED sent
Next == \E a, b \in Node : Send(a, b) \/ \E m \in messages : Receive(m)
Seen == <<owner, {m[2] : m \in messages}>>
====
