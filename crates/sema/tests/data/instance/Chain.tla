---- MODULE Chain ----
---- MODULE A ----
CONSTANT a
Op == a
Deep(x) == <<x, Op>>
====
---- MODULE B ----
CONSTANT b
INSTANCE A WITH a <- <<b, b>>
====
---- MODULE C ----
CONSTANT c
INSTANCE B WITH b <- {c}
====
INSTANCE C WITH c <- 1
Result == Deep(2)
====
