---- MODULE HiddenFirst ----
(* A VIEW that leaves out the first variable, under SYMMETRY. States are one when some permutations of them have the
   same view, whatever the hidden variable is: none, one or two players have moved, so there are three.
   TLC keeps four: it permutes the state so that the hidden variable is least, and only then looks at the view. *)
EXTENDS Naturals, TLC
CONSTANT Player
VARIABLES hidden, moves

Init == hidden \in Player /\ moves = [p \in Player |-> 0]
Next == \E p \in Player : moves[p] = 0 /\ moves' = [moves EXCEPT ![p] = 1] /\ UNCHANGED hidden

View == moves
Sym == Permutations(Player)
====
