---- MODULE W4800_Test ----
Op == TRUE
====
