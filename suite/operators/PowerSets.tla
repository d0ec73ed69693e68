------------------------------ MODULE PowerSets -----------------------------
(* SUBSET S: members are recognised without listing them, so S may be large  *)
(* or infinite; listed, they come by size. The variable walks over subsets.  *)
EXTENDS Naturals, FiniteSets

VARIABLE s

ASSUME SUBSET {} = {{}}
ASSUME SUBSET {1} = {{}, {1}}
ASSUME SUBSET {1, 2} = {{}, {1}, {2}, {1, 2}}
ASSUME Cardinality(SUBSET (1..10)) = 1024
ASSUME SUBSET SUBSET {} = {{}, {{}}}

ASSUME {1, 2} \in SUBSET (1..3) /\ {4} \notin SUBSET (1..3)
ASSUME {} \in SUBSET {}
\* 2^1000 subsets, none of them made.
ASSUME {1, 500} \in SUBSET (1..1000) /\ {0} \notin SUBSET (1..1000)
ASSUME {1, 2} \in SUBSET Nat
ASSUME (SUBSET {1}) \subseteq (SUBSET {1, 2})
ASSUME (SUBSET (1..3)) \cap (SUBSET (3..5)) = {{}, {3}}
ASSUME UNION SUBSET (1..4) = 1..4

\* The smaller ones come first, and among those of one size the least.
ASSUME (CHOOSE t \in SUBSET (1..3) : TRUE) = {}
ASSUME (CHOOSE t \in SUBSET (1..3) : 3 \in t) = {3}
ASSUME (CHOOSE t \in SUBSET (1..4) : Cardinality(t) = 2) = {1, 2}
ASSUME (CHOOSE t \in SUBSET (1..4) : Cardinality(t) = 2 /\ 1 \notin t) = {2, 3}
\* \E finds {1} before it would get to a set that cannot be evaluated.
ASSUME \E t \in SUBSET (1..4) : IF Cardinality(t) > 1 THEN CHOOSE x \in {} : TRUE ELSE t = {4}

Init == s \in SUBSET {1, 3}
Next ==
    \/ s' \in SUBSET (s \cup {2})
    \/ \E t \in SUBSET s : t # {} /\ s' = s \ t
Within == s \in SUBSET (1..3)
=============================================================================
