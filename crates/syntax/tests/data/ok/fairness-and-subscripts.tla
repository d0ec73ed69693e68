---- MODULE M ----
a == WF_v(A)
b == SF_<<x, y>>(A /\ B)
c == WF_(x + y)(A)
d == WF_f(1)(A)
e == WF_I!v(A)
f == WF_I(1)!f(2)(A)
g == [A]_v
h == [][A \/ B]_<<x, y>>
i == [A]_f(x)
j == [A]_I!v
k == \A i \in S : WF_v(A(i)) /\ SF_{x}(A) /\ WF_[x |-> 1](A)
====
