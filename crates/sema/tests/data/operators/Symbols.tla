---- MODULE Symbols ----
EXTENDS Naturals
CONSTANT _ \prec _, _ ## _
a \oplus b == a + b
a ^+ == a
-. a == 0 - a
A == (1 \oplus 2)^+
B == 1 \prec 2
C == 1 ## 2
D == -A
E == ##(1, 2) = \oplus(3, 4)
Use(F(_, _), G(_)) == F(G(1), 2)
H == Use(\oplus, -.)
I == Use(##, ^+)
====
