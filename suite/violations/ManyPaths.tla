------------------------------- MODULE ManyPaths ----------------------------
(* A lattice with many shortest ways to the corner; the one that is shown is *)
(* the first in the order of the actions at every step.                      *)
EXTENDS Naturals

VARIABLES x, y

Init == x = 0 /\ y = 0
North == y < 3 /\ y' = y + 1 /\ UNCHANGED x
East == x < 3 /\ x' = x + 1 /\ UNCHANGED y
Next == North \/ East
NotCorner == ~(x = 2 /\ y = 3)
=============================================================================
