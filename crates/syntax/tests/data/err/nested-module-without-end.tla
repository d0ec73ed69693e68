---- MODULE M ----
---- MODULE N ----
a == 1
====
