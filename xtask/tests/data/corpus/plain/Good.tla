---- MODULE Good ----
EXTENDS Naturals
Next(n) == n + 1
====
