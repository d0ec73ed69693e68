---- MODULE NestedTwice ----
---- MODULE Inner ----
Op == 1
====
---- MODULE Inner ----
Op == 2
====
====
