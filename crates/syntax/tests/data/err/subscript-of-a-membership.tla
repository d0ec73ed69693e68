---- MODULE M ----
a == [x \in S]_v
b == [x \in S /\ p]_v
c == [<<x, y>> \in S]_v
====
