---- MODULE M ----
a == \A <<>> \in S : TRUE
====
