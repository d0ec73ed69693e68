---- MODULE SymbolsAgain ----
\* All spellings of a symbol are one operator.
a \leq b == {a, b}
A == 1 =< 2
B == 1 <= 2
C == {1} \union {2}
D == 1 # 2
E == ~TRUE /\ \lnot FALSE
F == TRUE \equiv FALSE
G == {1} \times {2} \X {3}
====
