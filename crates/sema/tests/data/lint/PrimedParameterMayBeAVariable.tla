---- MODULE PrimedParameterMayBeAVariable ----
EXTENDS Naturals
CONSTANT Limit
VARIABLE x
Same(v) == v' = v
Kept(v) == UNCHANGED <<v, x>>
Init == x = Limit
Next == Same(x) /\ LET y == x IN y' = 1 /\ UNCHANGED <<>>
Spec == Init /\ [][Next]_x
\* In a proof, that a constant stays what it is is a fact.
THEOREM Limit' = Limit
====
