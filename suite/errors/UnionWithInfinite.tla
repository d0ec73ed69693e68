------------------------- MODULE UnionWithInfinite --------------------------
(* Whether something is in the union of Nat and a finite set.                *)
EXTENDS Naturals

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF UNION {Nat, {1}} = {} THEN 1 ELSE 0
=============================================================================
