---- MODULE GuardedExistsFails ----
\* A conjunct of `\E` that is FALSE whatever is bound does not hide that one before it has no value.
EXTENDS Integers, Sequences
VARIABLE x

Init == x = 0

Next == \E a \in 1..50 : /\ <<1, 2>>[a] > 0
                         /\ x > 1
                         /\ x' = a
====
