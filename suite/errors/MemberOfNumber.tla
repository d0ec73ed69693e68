--------------------------- MODULE MemberOfNumber ---------------------------
(* A number has no members.                                                  *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF 1 \in x THEN 1 ELSE 0
=============================================================================
