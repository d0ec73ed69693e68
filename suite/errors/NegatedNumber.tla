--------------------------- MODULE NegatedNumber ----------------------------
(* Only a truth value can be negated.                                        *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF ~x THEN 1 ELSE 0
=============================================================================
