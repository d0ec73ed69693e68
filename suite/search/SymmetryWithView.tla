-------------------------- MODULE SymmetryWithView --------------------------
(* Symmetry and a view together: states are one when permutations of them    *)
(* have the same view.                                                       *)
EXTENDS Naturals, TLC

CONSTANT Node
VARIABLES votes, round

Perms == Permutations(Node)
Seen == votes

Init == votes = [n \in Node |-> 0] /\ round = 0
Vote(n) == votes[n] < 2 /\ votes' = [votes EXCEPT ![n] = @ + 1] /\ round' = round + 1
Next == \E n \in Node : Vote(n)
Fine == round <= 6
=============================================================================
