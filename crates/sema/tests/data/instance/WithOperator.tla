---- MODULE WithOperator ----
EXTENDS Naturals
---- MODULE M ----
CONSTANTS Op(_, _), _ ++ _, c
Apply(F(_, _)) == F(c, c)
Fold(x, y) == Op(x, y) ++ c
Pass == <<Apply(Op), Apply(++)>>
====
Pair(x, y) == <<x, y>>
a ++ b == a \cup b
I == INSTANCE M WITH Op <- Pair, c <- 1
J == INSTANCE M WITH Op <- +, ++ <- \cap, c <- 2
A == <<I!Fold(3, 4), I!Pass>>
B == <<J!Fold(5, 6), J!Pass>>
====
