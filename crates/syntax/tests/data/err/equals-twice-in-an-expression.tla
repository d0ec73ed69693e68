---- MODULE M ----
a == IF x == 1 THEN 2 ELSE 3
b == /\ x == 1
     /\ y
c == r.f == 1
d == x' == 2
e == (x == 1)
====
