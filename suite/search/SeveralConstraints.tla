------------------------- MODULE SeveralConstraints -------------------------
(* Constraints are a conjunction, looked at in their order; an action        *)
(* constraint is looked at only when the state is inside. The printed lines  *)
(* show which were evaluated.                                                *)
EXTENDS Naturals, TLC

VARIABLE x

Init == x = 0
Next == x' \in {x + 1, x + 3}
First == PrintT(<<"first", x>>) /\ x < 5
Second == PrintT(<<"second", x>>) /\ x # 3
OnStep == PrintT(<<"step", x, x'>>) /\ x' # 4
=============================================================================
