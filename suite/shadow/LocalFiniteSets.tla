---------------------------- MODULE LocalFiniteSets -------------------------
(* A file beside the spec with the name of a standard module is read in its  *)
(* place. What is implemented natively stays native: Cardinality counts,     *)
(* although the file says something else.                                    *)
EXTENDS Naturals, FiniteSets

VARIABLE x

ASSUME Cardinality({1, 2}) = 2
ASSUME OnlyHere = "from the file"

Init == x = {}
Next == Cardinality(x) < 2 /\ x' = x \cup {Cardinality(x)}
Small == Cardinality(x) <= 2
=============================================================================
