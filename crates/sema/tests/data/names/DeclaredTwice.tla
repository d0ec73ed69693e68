---- MODULE DeclaredTwice ----
\* SANY only warns: the first one counts.
CONSTANTS N, F(_)
CONSTANT N, F(_)
VARIABLES x, y
VARIABLE x
ASSUME Fact == N = 1
AXIOM Fact == N = 2
THEOREM Thm == TRUE
THEOREM Thm == TRUE
<1>a. TRUE OBVIOUS
<1>a. TRUE OBVIOUS
<1>b. QED BY <1>a
---- MODULE M ----
CONSTANT c
Get == c
====
I == INSTANCE M WITH c <- 1
I == INSTANCE M WITH c <- 2
Op == <<N, F(1), x, y, I!Get>>
====
