---- MODULE M ----
a == 1
---- MODULE Inner ----
  ---- MODULE Innermost ----
    EXTENDS Naturals
    b == 2
  ====
c == 3
====
d == 4
====
