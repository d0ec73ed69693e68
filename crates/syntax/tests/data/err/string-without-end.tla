---- MODULE M ----
a == "never closed
b == "fine"
c == "
====
