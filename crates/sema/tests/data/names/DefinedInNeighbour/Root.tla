---- MODULE Root ----
A == Empty
B == msgs
====
