---- MODULE Root ----
Thing == 0
INSTANCE First
Op == Thing
====
