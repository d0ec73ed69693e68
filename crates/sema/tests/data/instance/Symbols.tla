---- MODULE Symbols ----
---- MODULE M ----
CONSTANT c
a ++ b == <<a, b, c>>
-. a == <<a, c>>
====
I == INSTANCE M WITH c <- 1
A == I!++(2, 3)
B == I!-.(4)
Use(F(_, _)) == F(5, 6)
C == Use(I!++)
INSTANCE M WITH c <- 7
D == 8 ++ -9
====
