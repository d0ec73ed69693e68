---- MODULE ParameterScope ----
EXTENDS Naturals
F(aa) == aa
G == aa
H(bb) == LET cc == bb IN cc
I == bb
J == cc
Use(P(_)) == P(1)
K == Use(LAMBDA dd : dd + 1)
L == dd
====
