---- MODULE M ----
a == CASE /\ x
          /\ y -> /\ 1
                  /\ 2
       [] z -> 3
       [] OTHER -> /\ 4
====
