---- MODULE Root ----
EXTENDS Naturals, First
Op == 1 + FromFirst
====
