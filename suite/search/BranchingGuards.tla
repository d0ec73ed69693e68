--------------------------- MODULE BranchingGuards ---------------------------
(* A conjunct under \E that does not depend on what is bound, and through    *)
(* which there is more than one way: when a later conjunct is FALSE, the     *)
(* next way is tried, and may have no value.                                 *)
EXTENDS Naturals, Sequences

VARIABLES step, choice

vars == <<step, choice>>
Slots == 1 .. step + 20
NoValue == Head(<<>>) = 1

Init == step = 0 /\ choice = 0

Take(slot) == choice' = slot % 3 /\ step' = (step + 1) % 3

(* After the first disjunct the second is tried, since the next is FALSE.    *)
NextOr == \E slot \in Slots : (step = 0 \/ NoValue) /\ step > 5 /\ Take(slot)

(* The same behind IF.                                                       *)
NextIf ==
    \E slot \in Slots :
        /\ IF step = 0 THEN (step = 0 \/ NoValue) /\ step > 5 ELSE TRUE
        /\ Take(slot)

(* A walk does not come to the elements of \A in their order.                *)
NextForall == \E slot \in Slots : (\A k \in 1 .. 3 : <<TRUE, FALSE>>[k]) /\ Take(slot)

(* A parameter that stands for a formula with two ways: each is a step.      *)
RECURSIVE After(_, _)
After(n, Condition) ==
    IF n = 0
    THEN step' = (step + 1) % 3 /\ \E slot \in Slots : Condition /\ choice' = slot % 3
    ELSE After(n - 1, Condition)
NextParameter == After(1, step' < 5 \/ step' >= 0)

(* In ENABLED it is a walk as well.                                          *)
NextCount == step < 3 /\ step' = step + 1 /\ UNCHANGED choice
Never ==
    [][ENABLED (\E slot \in Slots : (step >= 0 \/ NoValue) /\ step > 5 /\ Take(slot)) => FALSE]_vars
=============================================================================
