---- MODULE M ----
a == []p /\ <>q
b == p ~> q
c == p -+-> q
d == A \cdot B
e == ENABLED A /\ UNCHANGED <<x, y>>
f == []<>(p => q)
====
