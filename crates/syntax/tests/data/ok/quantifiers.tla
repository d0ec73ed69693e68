---- MODULE M ----
a == \A x \in S : p
b == \E x, y \in S, <<z, w>> \in T : p
c == \forall x : \exists y, z : p
d == \AA x : \EE y, z : p
e == (\A x : p) /\ \E y : q /\ r
====
