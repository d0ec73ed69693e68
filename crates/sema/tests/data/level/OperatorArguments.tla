---- MODULE OperatorArguments ----
\* An operator that is passed must take what it is applied to.
VARIABLES x, y
OnNext(F(_)) == F(x')
On(F(_), a) == F(a)
Through(F(_), a) == On(F, a)
Both(F(_), G(_)) == F(G(x))
Prime(a) == a'
A == OnNext(Prime)
B == OnNext(LAMBDA a : ENABLED (a' = 1))
C == On(Prime, x')
D == Through(Prime, y')
E == Through(LAMBDA a : <<a, UNCHANGED a>>, y')
Fine == On(Prime, x) /\ Through(LAMBDA a : a = 1, x') /\ OnNext(LAMBDA a : TRUE)
====
