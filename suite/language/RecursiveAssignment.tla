------------------------- MODULE RecursiveAssignment ------------------------
(* A variable that is passed through calls of a recursive operator is      *)
(* assigned there; so is what a formula that is passed gives a value to.   *)
EXTENDS Integers

VARIABLES x, y

RECURSIVE Set(_, _, _)
Set(v, b, n) == IF n = 0 THEN v = b ELSE Set(v, b, n - 1)

RECURSIVE Walk(_, _, _)
Walk(v, w, n) == IF n = 0 THEN v \in {1, 2} /\ w = v ELSE Walk(v, w, n - 1) \/ (n = 2 /\ Walk(w, v, 0))

RECURSIVE Do(_, _)
Do(p, n) == IF n = 0 THEN p ELSE Do(p, n - 1)

Init == Set(x, 0, 1) /\ Do(y = 0, 2)
Next ==
    \/ Set(x', 1 - x, 2) /\ Set(y', y, 3)
    \/ x < 3 /\ Walk(x', y', 2)
    \/ x < 3 /\ Do(x' = x + 1, 2) /\ Do(y' \in {1, 2} \/ y' = 3, 1)
=============================================================================
