---- MODULE M ----
THEOREM a
<1>1. b
<1>2. c
d == 1
====
