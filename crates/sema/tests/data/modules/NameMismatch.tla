---- MODULE Other ----
Op == 1
====
