---- MODULE M ----
a == f[1
b == {x \in S : (x = 1}
c == <<1, 2
d == Op(1, {2}
e == [f EXCEPT ![1] = 2
g == {1,
h == (1 + 2 3)
i == LET y == (1 + 2
     IN  y
VARIABLE z
j == [a |-> 1, b |-> <<2, 3]
====
