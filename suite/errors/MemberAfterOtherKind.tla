------------------------ MODULE MemberAfterOtherKind ------------------------
(* The number is in the set, but a string comes before it.                   *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF 1 \in {"a", 1} THEN 1 ELSE 0
=============================================================================
