---- MODULE Root ----
EXTENDS Naturals, Helper, Nowhere
I == INSTANCE Nowhere
Op == I!Something + Unknown
Dup == 1
Dup == 2
====
