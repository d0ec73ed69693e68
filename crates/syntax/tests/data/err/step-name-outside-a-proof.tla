---- MODULE M ----
a == <1>1
THEOREM b BY <1>1
THEOREM c
<1>1. d
<1>2. QED BY <+>1
====
