---- MODULE M ----
a == \A x \in S
b == \E x p
c == \A x, 1 \in S : p
d == CHOOSE x, y : p
e == \EE x \in S : p
f == LAMBDA x : x
====
