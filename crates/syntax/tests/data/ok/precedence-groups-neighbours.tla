---- MODULE M ----
a == 1 + 2 * 3 ^ 4
b == x = y /\ z => w
c == x \cup y \subseteq z
d == a - b - c
e == ~x = y /\ z
f == []<>p => ENABLED q
g == x \in S \/ x \notin T
h == 1 .. n + 1
i == a :> b @@ c :> d
j == a # b <=> ~c
k == p ~> q /\ r
====
