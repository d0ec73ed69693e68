------------------------ MODULE ConstraintOnLazyValue ------------------------
(* A function over a set that is not written out is kept as a rule as long as  *)
(* it can be. Here the rule reads two variables of the state before the step,  *)
(* while the constraint is about the state after it.                           *)
EXTENDS Naturals, Sequences

VARIABLES waiting, turn

Pair == {<<p, q>> \in (1..2) \X (1..2) : p # q}
Added(ch, p) == [c \in Pair |-> IF c[1] = p THEN Append(ch[c], turn) ELSE ch[c]]

Init == waiting = [c \in Pair |-> <<>>] /\ turn = 1
Next == waiting' = Added(waiting, turn) /\ turn' = 3 - turn

Short == Len(waiting[<<1, 2>>]) + Len(waiting[<<2, 1>>]) < 5
OwnTurns == \A c \in Pair : \A i \in 1..Len(waiting[c]) : waiting[c][i] = c[1]
=============================================================================
