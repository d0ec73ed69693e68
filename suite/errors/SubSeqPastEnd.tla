--------------------------- MODULE SubSeqPastEnd ----------------------------
(* SubSeq past the end of a sequence.                                        *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Len(SubSeq(<<1, 2, 3>>, x, 4))
=============================================================================
