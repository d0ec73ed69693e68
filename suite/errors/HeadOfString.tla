---------------------------- MODULE HeadOfString ----------------------------
(* Strings have no first element.                                            *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE Head("abc")
=============================================================================
