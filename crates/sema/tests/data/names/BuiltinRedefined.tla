---- MODULE BuiltinRedefined ----
a \cup b == {a, b}
CONSTANT _\in_
RECURSIVE _ \subseteq _
a = b == TRUE
====
