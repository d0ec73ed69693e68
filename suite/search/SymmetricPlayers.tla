-------------------------- MODULE SymmetricPlayers --------------------------
(* States that differ by a permutation of the players count once. The first  *)
(* one found is the one explored.                                            *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Player, None
VARIABLES holder, wins

Perms == Permutations(Player)

Init == holder = None /\ wins = [p \in Player |-> 0]
Grab(p) == holder = None /\ holder' = p /\ UNCHANGED wins
Score(p) == holder = p /\ wins[p] < 2 /\ holder' = None /\ wins' = [wins EXCEPT ![p] = @ + 1]
Drop == holder # None /\ holder' = None /\ UNCHANGED wins
Next == Drop \/ \E p \in Player : Grab(p) \/ Score(p)
Typed == holder \in Player \cup {None} /\ wins \in [Player -> 0..2]
=============================================================================
