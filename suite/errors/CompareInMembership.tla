------------------------ MODULE CompareInMembership -------------------------
(* Is a number among strings? It would have to be compared with them.        *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF x \in {"a", "b"} THEN 1 ELSE 0
=============================================================================
