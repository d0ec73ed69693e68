---- MODULE GuardBeforeChoice ----
\* Tests at the beginning of \E that are the same for every element: code makes them once, before the elements are tried,
\* and not at all where there is no element, since they may have no value then.
EXTENDS Naturals, Sequences
VARIABLES x, taken
Lines == <<[node |-> 1, n |-> 2], [node |-> 2, n |-> 1], [node |-> 1, n |-> 3]>>
Init == x = 0 /\ taken = <<>>
IsLine(i) == x < Len(Lines) /\ Lines[x + 1].node = i
Follow(i, range) ==
  /\ IsLine(i)
  /\ range[1] <= Lines[x + 1].n
  /\ range[1] <= range[2]
  /\ x' = x + 1
  /\ taken' = Append(taken, <<i, range>>)
Forget == \E b \in 1..Len(taken) : Head(taken)[1] = 1 /\ b <= 1 /\ x' = x /\ taken' = Tail(taken)
Next == (\E i \in 1..2 : \E b, e \in 1..(4 - Len(taken)) : Follow(i, <<b, e>>)) \/ Forget
Short == Len(taken) <= x
====
