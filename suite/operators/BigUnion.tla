------------------------------ MODULE BigUnion ------------------------------
(* UNION of sets, of maps that give sets, and of nothing.                    *)
EXTENDS Naturals, FiniteSets

VARIABLES groups

ASSUME UNION {} = {}
ASSUME UNION {{}} = {}
ASSUME UNION {{1, 2}, {2, 3}, {}} = {1, 2, 3}
ASSUME UNION {{{1}}, {{2}}} = {{1}, {2}}
ASSUME UNION UNION {{{1}}, {{2}}} = {1, 2}
ASSUME UNION {1..n : n \in 1..4} = 1..4
ASSUME UNION {SUBSET {n} : n \in 1..2} = {{}, {1}, {2}}
ASSUME 3 \in UNION {1..2, 3..4} /\ 5 \notin UNION {1..2, 3..4}
ASSUME Cardinality(UNION {{n, n + 1} : n \in {1, 2, 5}}) = 5
\* UNION binds tighter than \cup.
ASSUME UNION {{1}} \cup {2} = {1, 2}
ASSUME UNION {{<<x, y>> : x \in 1..y} : y \in 1..2} = {<<1, 1>>, <<1, 2>>, <<2, 2>>}

Init == groups = {{1}, {2}, {3}, {4}}
Merge == \E a, b \in groups : a # b /\ groups' = (groups \ {a, b}) \cup {a \cup b}
Split == \E a \in groups : Cardinality(a) = 4 /\ groups' = {{x} : x \in a}
Next == Merge \/ Split
\* All partitions of four things, and nothing else.
IsPartition ==
    /\ UNION groups = 1..4
    /\ \A a, b \in groups : a = b \/ a \cap b = {}
=============================================================================
