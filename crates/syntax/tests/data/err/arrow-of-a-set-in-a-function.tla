---- MODULE M ----
a == [x \in 1..2 -> x]
b == [x \in S => y -> T]
c == [x \in S, y \in T -> y]
d == [f \in S EXCEPT ![1] = 2]
e == [x \in S |-> x]
====
