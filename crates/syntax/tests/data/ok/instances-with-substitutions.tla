---- MODULE M ----
INSTANCE A
INSTANCE B WITH x <- 1, y <- x + 1
C == INSTANCE B WITH + <- *, \prec <- <, F <- LAMBDA a, b : a, G <- -., ~ <- ~
D(x, Op(_)) == INSTANCE B WITH y <- x, - <- -
E == INSTANCE THEOREM
Last == INSTANCE B WITH op <- \cup
====
