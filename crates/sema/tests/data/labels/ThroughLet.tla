---- MODULE ThroughLet ----
EXTENDS Naturals
\* A part of the body of a LET keeps the definitions that it uses.
Op(x) == LET a == x + 1
             b(y) == a * y
             unused == 0
         IN  b(2) + a
A == Op(5)!1
B == Op(5)!1!1
C == Op(5)!1!2
D == Op(5)!:!a
E == Op(5)!:!b(6)
F == Op(5)!:!b(6)!1
G == Op(5)!1!1!1
Lab(x) == LET a == x IN l :: (a + 1)
H == Lab(7)!l
Nest(x) == LET a == x IN LET c == a IN \E z \in {c} : m(z) :: (z = c)
I == Nest(8)!m(9)
J == Nest(8)!1!1!1
====
