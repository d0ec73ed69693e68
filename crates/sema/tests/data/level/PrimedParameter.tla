---- MODULE PrimedParameter ----
\* What a definition does with its parameter says how high the argument may be.
VARIABLES x, y
Later(p) == p' = 1
Twice(q) == Later(q) /\ q = 1
Good == Twice(x)
Bad == Twice(x')
Tricky(p) == LET Inner == p IN Inner'
AlsoBad == Tricky(<<y, x'>>)
Unused(p, q) == q
Fine == Unused(Twice(x), x)'
====
