---- MODULE ConstantIsNeverUsed ----
CONSTANTS Used, Unused, UsedAsOperator(_), UnusedOperator(_), a, b
VARIABLE x
Init == x \in Used
Next == x' = UsedAsOperator(x)
Apply(Op(_), v) == Op(v)
====
