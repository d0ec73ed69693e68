---- MODULE Root ----
EXTENDS Outer
I == INSTANCE Inner WITH c <- 7
Op == I!Get
====
