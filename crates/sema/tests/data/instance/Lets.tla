---- MODULE Lets ----
---- MODULE M ----
CONSTANT c
F(x) == LET y == <<x, c>>
            G(z) == <<y, z>>
            f[i \in {c}] == f[i]
            RECURSIVE R(_)
            R(k) == <<R(k), G(k)>>
        IN  <<y, G(c), f, R(c)>>
Same(x) == F(x)
====
I == INSTANCE M WITH c <- 1
A == <<I!F(2), I!Same(3)>>
====
