---- MODULE M ----
a == x /\ y \/ z
b == x = y = z
c == p => q => r
d == x \cup y \cap z
e == x + y ++ z
f == UNCHANGED x'
g == x \in S \in T
h == []p \cdot q
i == x .. y .. z
====
