---- MODULE TlcGetEarly ----
\* TLCGet in assumptions and constants, before the first state: of the specification, and the counts of a search that has not begun.
EXTENDS Naturals, TLC
CONSTANT N
VARIABLES x, y
Place(part) == {<<entry.name, entry.location.beginLine, entry.location.beginColumn>> : entry \in TLCGet("spec")[part]}
ASSUME Place("inits") = {<<"Init", 20, 9>>}
ASSUME Place("actions") = {<<"Up", 21, 7>>, <<"Swap", 22, 12>>}
ASSUME Place("invariants") = {<<"Small", 25, 10>>}
ASSUME Place("variables") = {<<"x", 5, 11>>, <<"y", 5, 14>>}
ASSUME Place("impliedactions") = {} /\ Place("impliedinits") = {} /\ Place("impliedtemporals") = {}
ASSUME TLCGet("spec").temporals = {}
\* These have the place of the whole definition.
ASSUME Place("constraints") = {<<"Bound", 26, 1>>} /\ Place("actionconstraints") = {<<"Step", 27, 1>>}
ASSUME TLCGet("level") = 0 /\ TLCGet("diameter") = 1
ASSUME TLCGet("generated") = 0 /\ TLCGet("distinct") = 0 /\ TLCGet("queue") = 0
ASSUME TLCGet("stats").diameter = 1 /\ TLCGet("stats").initial = 0
Names == {entry.name : entry \in TLCGet("spec").actions}
Top == IF Names = {"Up", "Swap"} THEN 3 ELSE 1
Init == x = 0 /\ y \in 1..N
Up == x < Top /\ x' = x + 1 /\ y' = y
Swap(a) == y' = a /\ x' = x
Next == Up \/ \E a \in 1..N : Swap(a)
Spec == Init /\ [][Next]_<<x, y>>
Small == x < 9
Bound == y < 9
Step == x' >= x
====
