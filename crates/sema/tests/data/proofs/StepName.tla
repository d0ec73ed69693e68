---- MODULE StepName ----
THEOREM TRUE
<1>a. TRUE OBVIOUS
<1>a. TRUE OBVIOUS
<*>b. TRUE OBVIOUS
<1>c. TRUE BY <1>a, <*>a, <1>z
<1>d. QED
====
