-------------------------- MODULE ConstraintAtStart -------------------------
(* Initial states outside of the constraint count as generated and not as    *)
(* distinct, and nothing follows from them; the action constraint does not   *)
(* apply to them.                                                            *)
EXTENDS Naturals

VARIABLE x

Init == x \in 0..9
Next == x' = (x + 2) % 10
Even == x % 2 = 0
NeverAStep == x' # 4
=============================================================================
