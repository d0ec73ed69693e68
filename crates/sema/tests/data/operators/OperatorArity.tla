---- MODULE OperatorArity ----
EXTENDS Naturals
Apply(F(_), x) == F(x)
Fold(Op(_, _), x) == Op(x, x)
Add(a, b) == a + b
Neg(a) == a
A == Apply(Add, 1)
B == Fold(Neg, 1)
C == Apply(LAMBDA x, y : x, 1)
D == Fold(LAMBDA x : x, 1)
E == Apply(+, 1)
F == Fold(\cup, 1) = Fold(SUBSET, 1)
G == Apply(Apply, 1)
H == Apply(ENABLED, TRUE) = Apply(\in, 1)
====
