---- MODULE NestedCannotSeeLater ----
---- MODULE Inner ----
Op == Later
====
Later == 1
====
