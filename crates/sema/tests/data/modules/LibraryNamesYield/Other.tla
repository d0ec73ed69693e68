---- MODULE Other ----
Max(a, b) == a
choose(a, b, c) == a
====
