---- MODULE UndeclaredRecursion ----
EXTENDS Naturals
Fact(n) == IF n = 0 THEN 1 ELSE n * Fact(n - 1)
Forever == Forever
Outer == LET Inner(a, b) == Inner(b, a) IN Inner(1, 2)
====
