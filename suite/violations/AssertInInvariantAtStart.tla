---------------------- MODULE AssertInInvariantAtStart ----------------------
(* Assert inside of an invariant, which fails for the initial state.         *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Next == x < 3 /\ x' = x + 1
Checked == Assert(x # 0, "zero is not allowed")
=============================================================================
