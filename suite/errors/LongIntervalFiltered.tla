------------------------- MODULE LongIntervalFiltered -----------------------
(* Ten million numbers, half of which pass a filter.                         *)
EXTENDS Naturals, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = Cardinality({k \in 1..10000000 : k % 2 = 0})
=============================================================================
