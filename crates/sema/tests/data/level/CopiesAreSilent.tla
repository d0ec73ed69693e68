---- MODULE CopiesAreSilent ----
\* What an INSTANCE makes of a definition has the mistakes of the definition: they are reported once.
---- MODULE Inner ----
CONSTANT c
VARIABLE v
Bad == LET Local == v'' IN Local = c
Good == v' = c
====
VARIABLES x, y
I == INSTANCE Inner WITH c <- 1, v <- x
J(n) == INSTANCE Inner WITH c <- n, v <- <<x, y>>
Uses == I!Bad /\ J(1)!Bad /\ J(2)!Good
Wrong == J(2)!Good'
INSTANCE Inner WITH c <- 2, v <- y
====
