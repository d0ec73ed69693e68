------------------- MODULE NativeFailsInInvariantAtStart --------------------
(* An operator that TLC implements natively fails in an invariant of the     *)
(* initial state.                                                            *)
EXTENDS Naturals, Sequences

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Fine == Head(SubSeq(<<1>>, 2, x)) = x
=============================================================================
