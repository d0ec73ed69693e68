---- MODULE E4200_Test ----
Op == Undefined
====
