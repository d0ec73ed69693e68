---------------------------- MODULE StackOfCalls ----------------------------
(* An error deep inside: an operator calls an operator that takes the head   *)
(* of an empty sequence.                                                     *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Inner(s) == Head(s)
Middle(s) == LET rest == Tail(s) IN Inner(rest) + 1
Outer(s) == Middle(s) * 2

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Outer(<<7>>)
=============================================================================
