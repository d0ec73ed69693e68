---- MODULE M ----
a == LET b == /\ x
              /\ y
         c == /\ z
     IN  /\ b
         /\ c
d == /\ LET e == 1
        IN  f
     /\ g
====
