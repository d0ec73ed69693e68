---------------------------- MODULE AssertInInit ----------------------------
(* Assert inside of the initial predicate.                                   *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x \in 0..2 /\ Assert(x # 2, "two is not allowed")
Next == x' = x
=============================================================================
