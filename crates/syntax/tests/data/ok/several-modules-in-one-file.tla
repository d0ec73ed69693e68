---- MODULE First ----
a == 1
====
---- CONFIG First ----
INIT a
====
---- MODULE Second ----
b == 2
====
