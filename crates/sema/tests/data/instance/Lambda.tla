---- MODULE Lambda ----
EXTENDS Naturals
---- MODULE M ----
EXTENDS Naturals
CONSTANTS Op(_, _), _ ++ _
Apply(F(_, _), x) == F(x, x)
Direct(x) == Op(x, x + 1)
Passed(x) == Apply(Op, x)
Nested(x) == Op(Op(x, 1), Op(x, 2))
Symbol(x) == x ++ x
SymbolPassed(x) == Apply(++, x)
====
VARIABLE v
I == INSTANCE M WITH Op <- LAMBDA a, b : a + b + v, ++ <- *
J(p) == INSTANCE M WITH Op <- LAMBDA a, b : a + p, ++ <- +
A == <<I!Direct(1), I!Passed(2), I!Nested(3), I!Symbol(4), I!SymbolPassed(5)>>
B(q) == <<J(q)!Direct(1), J(q)!Passed(2), J(q)!Nested(3)>>
====
