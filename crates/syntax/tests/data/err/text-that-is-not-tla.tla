---- MODULE M ----
We need a counter here, which starts at zero.
variables x
a == 1
====
