---- MODULE M ----
a == CHOOSE x \in S : p
b == CHOOSE x : p
c == CHOOSE <<x, y>> \in S : p
d == CHOOSE <<x, y>> : p
====
