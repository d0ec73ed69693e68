---- MODULE InstanceOfEnclosing ----
---- MODULE Inner ----
INSTANCE InstanceOfEnclosing
====
Op == 1
====
