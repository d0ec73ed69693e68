---- MODULE StepNotExpression ----
CONSTANT S
THEOREM TRUE
<1>1. TAKE x \in S
<1>2. <1>1 = TRUE OBVIOUS
<1>3. QED BY <1>1
====
