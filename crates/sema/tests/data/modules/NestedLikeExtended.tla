---- MODULE NestedLikeExtended ----
EXTENDS Naturals
---- MODULE Naturals ----
Op == 1
====
====
