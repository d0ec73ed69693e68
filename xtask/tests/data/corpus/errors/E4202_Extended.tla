---- MODULE E4202_Extended ----
Op == Undefined
====
