---- MODULE Root ----
EXTENDS First, Second
Op == Thing
====
