---- MODULE NotAnExpression ----
EXTENDS Naturals
THEOREM Thm == ASSUME NEW x PROVE x = x
A == Thm
B == 1 + Thm!1
C == \E x \in {1} : LET T == 1 IN Thm = T
====
