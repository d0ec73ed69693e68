---- MODULE UsedBeforeDefined ----
EXTENDS Naturals
Early == Later + limit + f[1]
Later == 1
CONSTANT limit
f[x \in {1}] == x
====
