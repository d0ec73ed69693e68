---- MODULE M ----
a == {x \in S}
b == {x \in S, y}
c == {x \in S /\ p}
d == {<<x, y>> \in S}
e == {x, y \in S}
f == {(x \in S) : x \in T}
g == {1 \in x : x \in T}
h == [(x \in S)]_v
i == [(x \in S) -> T]
====
