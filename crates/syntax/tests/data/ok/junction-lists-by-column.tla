---- MODULE M ----
a == /\ x
     /\ y
b ==
  \/ /\ 1
     /\ 2
  \/ 3
  \/ \/ 4
     \/ 5
c == /\ x /\ y
     /\ z \/ w
d == /\ x
     /\ y => z
e == /\ x
       \/ y
     /\ z
f == /\ IF x
        THEN /\ y
             /\ z
        ELSE w
     /\ v
====
