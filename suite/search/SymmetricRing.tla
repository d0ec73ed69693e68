---------------------------- MODULE SymmetricRing ---------------------------
(* Permutations that are not all those of a set: a ring may be turned, but   *)
(* not turned over, so states count as one only if a rotation makes them so. *)
EXTENDS Naturals, TLC

CONSTANT Place
VARIABLE colour

Ring == CHOOSE ring \in [0..4 -> Place] : \A i, j \in 0..4 : ring[i] = ring[j] => i = j
Rotations ==
    {f \in Permutations(Place) : \E n \in 0..4 : \A i \in 0..4 : f[Ring[i]] = Ring[(i + n) % 5]}

Init == colour = [p \in Place |-> 0]
Paint(p) == colour[p] < 2 /\ colour' = [colour EXCEPT ![p] = @ + 1]
Next == \E p \in Place : Paint(p)
=============================================================================
