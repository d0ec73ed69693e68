------------------------- MODULE SequencesInfinite --------------------------
(* Seq(S) has no end, however small S is.                                    *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Cardinality({s \in Seq({1}) : Len(s) = x})
=============================================================================
