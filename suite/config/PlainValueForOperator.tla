---- MODULE PlainValueForOperator ----
\* A plain value for an operator with parameters is its value for all arguments, which are not evaluated: for a definition,
\* a recursive one, a constant, one that is passed on, and an action.
EXTENDS Naturals
CONSTANTS Seven, Cost(_), Pair(_, _), Never(_)
VARIABLE x
Allowed(y) == y > 100
Sum(y, z) == y + z
Jump(y) == x' = y
Applied(f(_), y) == f(y)
RECURSIVE Steps(_)
Steps(n) == IF n = 0 THEN 0 ELSE 1 + Steps(n - 1)
Init == x = 0
Next ==
    \/ Allowed(x) /\ x' = (x + 1) % 3
    \/ x' = Sum(1, x)
    \/ Jump(50)
    \/ Never(x) /\ x' = 100
Known ==
    /\ Allowed(1) /\ Applied(Allowed, 1) /\ Applied(LAMBDA q : Allowed(q), 1)
    /\ Allowed(1 \div 0)
    /\ Sum("a", {}) = Seven /\ Cost(1) = Seven /\ Applied(Cost, 2) = Seven
    /\ Pair(1, 2) = {4, 5} /\ Steps(4) = Seven /\ ~ Never(3)
====
