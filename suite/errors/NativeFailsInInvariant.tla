----------------------- MODULE NativeFailsInInvariant -----------------------
(* An operator that TLC implements natively fails in an invariant.           *)
EXTENDS Naturals, Sequences

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Fine == Head(SubSeq(<<0, 1, 2, 3>>, x + 1, 2)) = x
=============================================================================
