---- MODULE OtherLet ----
A == LET RECURSIVE F(_)
     IN  LET F(x) == x IN F(1)
RECURSIVE G(_)
B == LET G(x) == x IN G(1)
G(x) == x
====
