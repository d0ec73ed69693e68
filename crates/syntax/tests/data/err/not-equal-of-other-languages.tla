---- MODULE M ----
a == x != y
b == I!=(x, y)
====
