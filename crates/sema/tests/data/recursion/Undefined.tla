---- MODULE Undefined ----
RECURSIVE F(_), G
A == F(1)
B == LET RECURSIVE H(_) IN H(1)
====
