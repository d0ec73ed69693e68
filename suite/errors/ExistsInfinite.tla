--------------------------- MODULE ExistsInfinite ---------------------------
(* A quantifier over all natural numbers.                                    *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF \E k \in Nat : k > x THEN 1 ELSE 0
=============================================================================
