---- MODULE M ----
a == /\ x
     /\ y \* comment
b == "s"
====
