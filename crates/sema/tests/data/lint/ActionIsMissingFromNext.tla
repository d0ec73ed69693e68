---- MODULE ActionIsMissingFromNext ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Increment == x' = x + 1
Decrement == x > 0 /\ x' = x - 1
\* A condition on steps: a configuration may name it as an action constraint.
Monotonic == x' >= x
\* Another next-state relation to choose from.
Decrement2 == x > 1 /\ x' = x - 2
NextDown == Decrement2
Next == Increment
Spec == Init /\ [][Next]_x
====
