---- MODULE RedefinedAfter ----
\* A name that is bound inside a definition is free again after it.
A == \E x \in {1} : x = 1
B == \A x \in {2} : x = 1
C(x) == LET y == x IN y
D(x) == (LET y == x IN y) = (LET y == {x} IN y)
x == 1
E == <<x, A, B, C(x), D(x)>>
====
