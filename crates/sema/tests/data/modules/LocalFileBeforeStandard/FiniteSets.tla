---- MODULE FiniteSets ----
\* The operator is still known as the standard one: evaluators compute it as that.
Cardinality(S) == 0
OfMyOwn == 0
====
