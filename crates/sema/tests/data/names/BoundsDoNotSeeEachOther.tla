---- MODULE BoundsDoNotSeeEachOther ----
A == \E x \in {1}, y \in {x} : x = y
B == {z \in z : TRUE}
C == [p \in {1}, q \in {p} |-> p]
D == CHOOSE r \in {r} : TRUE
E == {s : s \in {s}}
g[t \in {t}] == t
====
