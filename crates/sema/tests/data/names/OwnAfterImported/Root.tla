---- MODULE Root ----
EXTENDS First
Thing == 0
====
