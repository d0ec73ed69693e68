---- MODULE E4201_Harmless_Test ----
Op == TRUE
====
