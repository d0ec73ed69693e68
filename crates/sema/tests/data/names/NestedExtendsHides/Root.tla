---- MODULE Root ----
Thing == 1
---- MODULE Inner ----
EXTENDS First
Op == Thing
====
====
