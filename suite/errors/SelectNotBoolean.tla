-------------------------- MODULE SelectNotBoolean --------------------------
(* SelectSeq needs a test.                                                   *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Len(SelectSeq(<<1, 2>>, LAMBDA e : e))
=============================================================================
