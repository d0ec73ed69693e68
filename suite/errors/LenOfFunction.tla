--------------------------- MODULE LenOfFunction ----------------------------
(* A function from 0 on is not a sequence.                                   *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Len([i \in 0..x |-> i])
=============================================================================
