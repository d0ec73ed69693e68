---- MODULE M ----
a == {}
b == {1, {2}, {3, 4}}
c == {x \in S : x > 1}
d == {<<x, y>> \in S : x > y}
e == {x + 1 : x \in S}
f == {<<x, y>> : x \in S, y, z \in T}
g == {x : x \in S}
h == {x \in S : y \in T}
====
