---- MODULE Root ----
\* The nested module mentions what the module around it declares.
O == INSTANCE Outer WITH c <- 1, v <- 2
A == <<O!Get, O!I!Get, O!I!Own>>
====
