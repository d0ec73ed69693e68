---- MODULE Parameters ----
A == \E x \in {1}, y \in {2} : lab(x) :: x = y
B == \E x \in {1} : lab(x, z) :: x = 1
C(p) == lab(p) :: p
D == \E x \in {1} : lab(x, x) :: x = 1
E == \E x \in {1} : l(x) :: (\E y \in {2} : m(x, y) :: x = y)
G == \E x \in {1} : l(x) :: (\E y \in {2} : m(y) :: x = y)
F == A!lab(1, 2)
H == G!l
I == G!l(1)!m(2, 3)
J == G!(1, 2)
====
