---- MODULE Arity ----
---- MODULE M ----
CONSTANTS c, Op(_, _)
Get == Op(c, c)
====
One(x) == x
I == INSTANCE M WITH c <- 1, Op <- One
J == INSTANCE M WITH c <- 1, Op <- 5
K == INSTANCE M WITH c <- One, Op <- LAMBDA x, y : x
L == INSTANCE M WITH c <- 1, Op <- LAMBDA x : x
c == 1
Op(x) == x
N == INSTANCE M
====
