---- MODULE M ----
a == \/ x /\ y
      \/ z
b == /\ x
     /\ p \/ q
      /\ z
====
