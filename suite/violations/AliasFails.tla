------------------------------ MODULE AliasFails ----------------------------
(* An alias without a value in one state: the trace shows the state itself,  *)
(* and what went wrong.                                                      *)
EXTENDS Naturals, Sequences

VARIABLE x

Init == x = 3
Next == x' = x - 1
Shown == [third |-> <<10, 20, 30>>[x]]
Positive == x > 0
=============================================================================
