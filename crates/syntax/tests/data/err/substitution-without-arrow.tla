---- MODULE M ----
INSTANCE M WITH x = 1
I == INSTANCE M WITH 1 <- 2
f[x \in S] == INSTANCE M
J == INSTANCE
====
