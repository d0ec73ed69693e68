---- MODULE M ----
a == {x \in S, y \in T : p}
b == {x, y \in S : p}
====
