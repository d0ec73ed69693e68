---- MODULE WrongArity ----
RECURSIVE F(_), G, H(_, _), I(_)
F(x, y) == x
G(x) == x
H == 1
I(x(_)) == x(1)
====
