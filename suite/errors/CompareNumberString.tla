------------------------ MODULE CompareNumberString -------------------------
(* A number compared with a string: neither TRUE nor FALSE. Two steps lead   *)
(* there.                                                                    *)
EXTENDS Integers, Sequences, FiniteSets

VARIABLE x

Init == x = 0
Next == x' = IF x < 2 THEN x + 1 ELSE IF x = "two" THEN 1 ELSE 0
=============================================================================
