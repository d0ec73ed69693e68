------------------------------ MODULE Unassigned ----------------------------
(* Fairness of an action that leaves a variable of its subscript open: there *)
(* is no value to compare.                                                   *)
EXTENDS Naturals
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = 0
Half == x' = 1 - x
Next == Half /\ UNCHANGED y
Spec == Init /\ [][Next]_vars /\ WF_vars(Half)
Becomes == <>(x = 1)
=============================================================================
