---- MODULE OfInstance ----
---- MODULE M ----
CONSTANT c
Op(x) == \A y \in {c} : lab(y) :: (x = y)
Mine == Op(1)!lab(c)
====
I == INSTANCE M WITH c <- 2
P(q) == INSTANCE M WITH c <- q
A == I!Op(3)!lab(4)
B == I!Mine
C == P(5)!Op(6)!lab(7)
D == P(8)!Mine
E == I!Op(9)!1
====
