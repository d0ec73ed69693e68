---- MODULE ExpressionExpected ----
EXTENDS Naturals
F(x) == x
G(x) == x
A == F(LAMBDA y : y)
B == F(\cup)
C == F(G)
====
