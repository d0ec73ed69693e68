-------------------------- MODULE AssertInInvariant -------------------------
(* Assert inside of an invariant.                                            *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Next == x' = x + 1
Checked == Assert(x # 2, "two is not allowed")
=============================================================================
