---- MODULE Root ----
EXTENDS Empty
Op == FromEmpty
====
