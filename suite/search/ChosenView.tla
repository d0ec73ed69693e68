---- MODULE ChosenView ----
(* A VIEW under SYMMETRY that does not treat all model values alike: which player CHOOSE takes depends on their order.
   The view is evaluated in each permuted state. *)
EXTENDS Naturals, FiniteSets, TLC
CONSTANT Player
VARIABLES moves, hidden

Init == hidden = 0 /\ moves = [p \in Player |-> 0]
Next == \E p \in Player : moves[p] < 2 /\ moves' = [moves EXCEPT ![p] = @ + 1] /\ hidden' = 1 - hidden

First == CHOOSE p \in Player : TRUE
View == <<moves[First], {moves[p] : p \in Player}>>
Sym == Permutations(Player)
====
