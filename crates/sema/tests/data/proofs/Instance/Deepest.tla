---- MODULE Deepest ----
CONSTANT d
Deep == {d}
====
