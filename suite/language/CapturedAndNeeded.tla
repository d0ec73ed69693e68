-------------------------- MODULE CapturedAndNeeded -------------------------
(* An argument that has no value is an error where the set that took it    *)
(* along needs it.                                                         *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

RECURSIVE Last(_, _)
Last(s, h) == IF s = <<>> THEN {t \in SUBSET {1, 2} : h \in t} ELSE Last(Tail(s), Head(Tail(s)))

Init == x = 0
Next == x' = Cardinality(Last(<<1, 2>>, 0))
=============================================================================
