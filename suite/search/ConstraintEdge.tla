---------------------------- MODULE ConstraintEdge --------------------------
(* A state outside of the constraint is generated and checked, each time it  *)
(* is reached; it is not kept and nothing follows from it. The postcondition *)
(* counts how often the invariant looked at such a state.                    *)
EXTENDS Naturals, TLC

VARIABLES x, y

ASSUME TLCSet(1, 0)

Init == x = 0 /\ y = 0
Next == (x' = x + 1 /\ y' = y) \/ (y' = y + 1 /\ x' = x)
Inside == x + y <= 3
LooksOutside == IF x + y > 3 THEN TLCSet(1, TLCGet(1) + 1) ELSE TRUE
EightLooks == PrintT(TLCGet(1)) /\ TLCGet(1) = 8
=============================================================================
