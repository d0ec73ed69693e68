---- MODULE M ----
a == (1 +
---- MODULE N ----
b == 2
====
c == 3
====
