---- MODULE M ----
a == lab :: x + y
b == \A x \in S : lab(x) :: \E y : inner(y) :: x = y
c == x /\ lab :: y
d == lab :: /\ x
            /\ y
====
