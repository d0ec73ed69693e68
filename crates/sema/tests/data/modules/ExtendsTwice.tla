---- MODULE ExtendsTwice ----
EXTENDS Naturals, Integers, Naturals
Op == 1 - 2
====
