---- MODULE DeclaredTwiceDifferently ----
CONSTANTS N, F(_)
CONSTANT F
VARIABLE N
ASSUME N == TRUE
Op == 1
THEOREM Op == TRUE
====
