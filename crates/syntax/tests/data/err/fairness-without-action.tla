---- MODULE M ----
a == WF_v
b == SF_v(A, B)
c == WF_<<x>>
d == WF_(A)
====
