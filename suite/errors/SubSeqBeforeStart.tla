------------------------- MODULE SubSeqBeforeStart --------------------------
(* SubSeq from before the first element.                                     *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Len(SubSeq(<<1, 2, 3>>, 0, x))
=============================================================================
