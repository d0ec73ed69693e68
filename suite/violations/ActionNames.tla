------------------------------ MODULE ActionNames ---------------------------
(* How the steps of a trace are called: by the innermost definition that Next*)
(* leads to through disjunctions and choices out of constant sets, with its  *)
(* arguments. A choice that depends on the state stays inside of the action. *)
EXTENDS Naturals

VARIABLES stage, picked

Begin(who, how) == stage = 0 /\ stage' = 1 /\ picked' = <<who, how>>
Inner(k) == stage = 1 /\ stage' = 2 /\ picked' = picked
Wrapped == \E k \in 1..2 : Inner(k)
StateChoice == stage = 2 /\ \E p \in {picked[1], 9} : stage' = 3 /\ picked' = <<p, "x">>
Dependent == \E p \in {stage + 1} : stage = 3 /\ stage' = p /\ picked' = picked
Unnamed == TRUE
Next ==
    \/ \E w \in 1..2, h \in {"a", "b"} : Begin(w, h)
    \/ Wrapped
    \/ StateChoice
    \/ Dependent
    \/ stage = 4 /\ stage' = 5 /\ UNCHANGED picked
    \/ LET next == 6 IN stage = 5 /\ stage' = next /\ UNCHANGED picked

Init == stage = 0 /\ picked = <<>>
NotYet == stage < 6
=============================================================================
