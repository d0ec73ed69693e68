---- MODULE Bad ----
EXTENDS Naturals
Next(n) == m + 1
====
