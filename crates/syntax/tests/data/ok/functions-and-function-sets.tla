---- MODULE M ----
a == [x \in S |-> x]
b == [x, y \in S, <<z, w>> \in T |-> x]
c == [S -> T]
d == [S -> [T -> U]]
e == f[1]
g == f[1, 2][3]
h == [f EXCEPT ![1] = 2]
i == [f EXCEPT ![1][2] = @ + 1, ![<<1, 2>>, 3] = 4]
====
