---- MODULE Root ----
F(x) == LET I == INSTANCE Boxes WITH c <- x
            J(y) == INSTANCE Boxes WITH c <- <<x, y>>
        IN  <<I!Get, I!Both, J(1)!Get>>
G(S) == {LET I == INSTANCE Boxes WITH c <- z IN I!Both : z \in S}
H == \E w \in {1} : LET k == {w}
                        I == INSTANCE Boxes WITH c <- k
                    IN  I!Get = k
Ap(Q(_)) == Q(1)
L == Ap(LAMBDA e : LET I == INSTANCE Boxes WITH c <- e IN I!Get)
====
