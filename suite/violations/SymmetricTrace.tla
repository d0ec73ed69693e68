----------------------------- MODULE SymmetricTrace -------------------------
(* Under symmetry a trace shows states as they were found, not their         *)
(* representatives.                                                          *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANT Node
VARIABLES order

Perms == Permutations(Node)
Joined == {order[i] : i \in DOMAIN order}
Init == order = <<>>
Join(n) == n \notin Joined /\ order' = [i \in 1..(Cardinality(Joined) + 1) |-> IF i \in DOMAIN order THEN order[i] ELSE n]
Next == \E n \in Node : Join(n)
NotAll == Joined # Node
=============================================================================
