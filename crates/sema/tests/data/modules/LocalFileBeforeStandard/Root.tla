---- MODULE Root ----
EXTENDS FiniteSets
Op == Cardinality({}) = OfMyOwn
====
