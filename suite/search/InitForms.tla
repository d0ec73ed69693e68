------------------------------ MODULE InitForms -----------------------------
(* Every way to give a variable its first value: by an equation, out of a    *)
(* set, as a part of a set, by choice in a disjunction, a quantifier, an IF  *)
(* or a LET, and by what another variable already has.                       *)
EXTENDS Naturals

VARIABLES a, b, c, d, e, f

Init ==
    /\ a = 1
    /\ b \in {2, 4}
    /\ c \subseteq {a, b}
    /\ d = 0 \/ d = 1
    /\ \E k \in {5, 6} : e = k + b
    /\ IF b = 2 THEN f = "two" ELSE f \in {"four", "many"}
    /\ b + d # 5
Next == UNCHANGED <<a, b, c, d, e, f>>
Typed == a = 1 /\ b + d # 5 /\ c \subseteq {1, b} /\ e \in 7..10
=============================================================================
