---- MODULE VariableMustStandOnTheLeft ----
\* None of these assigns, in TLC.
EXTENDS Naturals
VARIABLES x, f
Init == x = 0 /\ f = [i \in {1} |-> 0]
OnTheRight == 1 = x' /\ f' = f
OfAnElement == f[1]' = 1 /\ x' = 1
Negated == ~(x' # 1) /\ f' = f
PrimedPredicate == (x = 1)' /\ f' = f
Within(i) == x'
OfAnOperator == Within(1) = 1 /\ f' = f
Possible == ENABLED (x' = 1) /\ f' = f
Next == OnTheRight \/ OfAnElement \/ Negated \/ PrimedPredicate \/ OfAnOperator \/ Possible
Spec == Init /\ [][Next]_<<x, f>>
====
