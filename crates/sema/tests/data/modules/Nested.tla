---- MODULE Nested ----
EXTENDS Naturals
CONSTANT N
Before == N + 1
---- MODULE Inner ----
CONSTANT M
VARIABLE v
---- MODULE Innermost ----
Deep == Before + M
====
INSTANCE Innermost
Op == Deep + M + N
====
I == INSTANCE Inner WITH M <- Before, v <- N
Op == I!Op
====
