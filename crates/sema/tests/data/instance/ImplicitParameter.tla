---- MODULE ImplicitParameter ----
---- MODULE M ----
CONSTANTS c, Op(_)
Get == Op(c)
====
\* What is in scope may be a parameter or a bound name.
F(c, Op(_)) == LET I == INSTANCE M IN I!Get
I2(c, Op(_)) == INSTANCE M
G(x) == <<x>>
A == I2(1, G)!Get
B == F(2, G)
====
