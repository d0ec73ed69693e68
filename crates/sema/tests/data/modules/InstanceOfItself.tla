---- MODULE InstanceOfItself ----
---- MODULE Inner ----
I == INSTANCE Inner
Op == I!Op
====
====
